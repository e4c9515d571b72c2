import { describe, expect, test } from "vitest";
import type { SceneHeader } from "../../scene/scene.js";
import { type State, Store } from "./state.js";
import { checkState } from "./state-check.js";
import { isStateFile, readStateFile, stateFile } from "./state-file.js";
import { readStateLink, stateLink } from "./state-link.js";

const RELATIONS = ["family", "work & play"];

const STATE: State = {
  map: { columns: [3, 7] },
  camera: { x: -1.5, y: 2, scale: 40 },
  relations: ["work & play"],
  edges: "all",
  color: "label",
  labels: "full name",
  run: 1,
  hidden: ["", null, "100 %"],
  focus: 'Ada "A" <b>#%20</b>',
  selected: ["Bo", "Zoë 🙂"],
};

const HEADER: SceneHeader = {
  format: 1,
  program: "0",
  title: "town",
  numNodes: 5,
  dim: 8,
  model: "hmge",
  seed: 1,
  facets: [],
  maps: ["t-SNE"],
  relations: [],
  directed: false,
  attributes: [],
  notes: [],
};

describe("a store", () => {
  test("tells its listeners what changed, and nothing if nothing did", () => {
    const store = new Store(STATE);
    const told: string[][] = [];
    const end = store.subscribe((_, changed) => told.push([...changed]));
    store.set({ focus: STATE.focus, edges: "all" });
    store.set({ focus: "Bo", edges: "none", color: "label" });
    end();
    store.set({ edges: "all" });
    expect(told).toEqual([["focus", "edges"]]);
    expect(store.state).toEqual({ ...STATE, focus: "Bo", edges: "all" });
  });
});

describe("a link", () => {
  test("holds a state with any characters", () => {
    const { text: link, isSelectionLeftOut } = stateLink(STATE, RELATIONS);
    expect(isSelectionLeftOut).toBe(false);
    expect(link).toMatch(/^[\w\-.~!*'()%]+$/);
    expect(readStateLink(`#${link}`)).toEqual(STATE);
  });

  test("does not name the relations if all are on, and keeps the choice of one colour and of ids", () => {
    const { relations, ...others } = { ...STATE, color: undefined, labels: undefined };
    expect(relations).toHaveLength(1);
    const { text: link } = stateLink({ ...others, relations: RELATIONS }, RELATIONS);
    expect(readStateLink(link)).toEqual(others);
    expect(readStateLink(link)).toHaveProperty("color", undefined);
    expect(readStateLink(link)).toHaveProperty("labels", undefined);
  });

  test("leaves out a selection that would make it too long, and says so", () => {
    const selected = Array.from({ length: 3000 }, (_, i) => `node ${i}`);
    const { text, isSelectionLeftOut } = stateLink({ ...STATE, selected }, RELATIONS);
    expect(isSelectionLeftOut).toBe(true);
    const read = readStateLink(text);
    expect(read).not.toHaveProperty("selected");
    expect(read.focus).toBe(STATE.focus);
  });

  test("holds as many ids as fit, however short they are", () => {
    const { text } = stateLink({ ...STATE, selected: [] }, RELATIONS);
    const most = Math.floor((8000 - text.length) / 10) - 2;
    for (const [count, isLeftOut] of [
      [most, false],
      [most + 10, true],
    ] as const) {
      const selected = Array.from({ length: count }, () => "a");
      expect(stateLink({ ...STATE, selected }, RELATIONS).isSelectionLeftOut).toBe(isLeftOut);
    }
  });

  test("of another kind holds nothing", () => {
    for (const hash of ["", "#", "#top", "#%", "#[1]", "#null", '#"text"']) expect(readStateLink(hash)).toEqual({});
  });
});

describe("values of the wrong kind are left out", () => {
  test.each([
    { map: "t-SNE" },
    { map: { columns: [1] } },
    { map: { columns: [0, -1] } },
    { camera: { x: 0, y: 0, scale: 0 } },
    { camera: { x: "0", y: 0, scale: 1 } },
    { relations: "family" },
    { relations: [1] },
    { hidden: [1] },
    { edges: "some" },
    { color: 3 },
    { labels: 3 },
    { run: 2 },
    { focus: ["Ada"] },
    { selected: { 0: "Ada" } },
  ])("%j", (value) => {
    expect(checkState(value)).toEqual({});
  });
});

describe("a file", () => {
  test("holds a state", () => {
    const text = stateFile(STATE, HEADER);
    expect(isStateFile(text)).toBe(true);
    expect(readStateFile(text, "state.json", HEADER)).toEqual(STATE);
  });

  test("of another graph or kind is refused in one line", () => {
    const read = (text: string, numNodes = 5) => readStateFile(text, "s.json", { ...HEADER, numNodes });
    expect(() => read(stateFile(STATE, HEADER), 6)).toThrow("s.json: a state of a graph with 5 nodes; this one has 6.");
    expect(() => read("{")).toThrow("s.json: not valid JSON");
    expect(() => read("{}")).toThrow("s.json: found other data");
  });
});
