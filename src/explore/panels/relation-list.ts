/** The relations of a scene with their colours, counts and switches; whose edges are drawn; and the overlap of the relations. */

import { button, type Component, element, fill } from "../dom.js";
import { countText, shownText } from "../questions/node-facts.js";
import { relationColor, type Theme } from "../questions/palette.js";
import { relationOverlaps } from "../questions/relation-overlap.js";
import { loadRelations } from "../questions/relation-rows.js";
import type { Scene } from "../scene/scene.js";
import { dataText, errorLine, Latest, missingLine, swatch, uniqueId } from "./marks.js";
import { overlapGrid } from "./overlap-grid.js";

export type EdgeChoice = "selection" | "inside" | "all" | "none";

export interface RelationListState {
  /** Indices of the relations that are on. */
  readonly on: readonly number[];
  /** Whose edges are drawn. */
  readonly edges: EdgeChoice;
  readonly theme: Theme;
  /** Edges on the map, and edges that its limit left out. */
  readonly drawn?: { readonly count: number; readonly leftOut: number };
}

export interface RelationListOptions extends RelationListState {
  readonly scene: Scene;
  readonly onRelations: (on: number[]) => void;
  readonly onEdges: (edges: EdgeChoice) => void;
}

export interface RelationList extends Component {
  update(changes: Partial<RelationListState>): void;
}

/** Relations listed: the largest. */
const MAX_LISTED = 200;
/** Relations compared with each other: the cells of a larger grid are too small to point at. */
const MAX_COMPARED = 20;

const EDGE_CHOICES: readonly (readonly [EdgeChoice, string])[] = [
  ["selection", "of the selection"],
  ["inside", "inside the selection"],
  ["all", "all"],
  ["none", "none"],
];

export function createRelationList(host: HTMLElement, options: RelationListOptions): RelationList {
  const { scene, onRelations, onEdges } = options;
  let state: RelationListState = options;
  const latest = new Latest();
  const numRelations = scene.header.relations.length;

  const listed = largestRelations(scene, MAX_LISTED);
  const switches = listed.map(({ name, relation }) => {
    const box = element("input", { type: "checkbox", "aria-label": shownText(name) });
    box.addEventListener("change", () => {
      const others = state.on.filter((other) => other !== relation);
      onRelations((box.checked ? [...others, relation] : others).sort((a, b) => a - b));
    });
    return box;
  });
  const swatches = switches.map(() => element("span"));
  const rows = listed.map(({ name, numEdges }, place) =>
    element(
      "li",
      {},
      element(
        "label",
        { class: "relation-list-row", title: shownText(name) },
        switches[place],
        swatches[place],
        element("span", { class: "relation-list-name" }, dataText(name)),
        element("span", { class: "relation-list-count muted" }, countText(numEdges, "edge")),
      ),
    ),
  );
  const allOn = button("All on", () => onRelations(scene.header.relations.map((_, relation) => relation)));
  const allOff = button("All off", () => onRelations([]));

  const group = uniqueId("relation-list-edges");
  const choices = EDGE_CHOICES.map(([value, text]) => {
    const input = element("input", { type: "radio", name: group, value });
    input.addEventListener("change", () => onEdges(value));
    return { value, input, label: element("label", {}, input, text) };
  });
  const drawnLine = element("p", { class: "relation-list-drawn muted", role: "status" });

  const grid = element("div", { class: "relation-list-overlap" });
  const overlap = element("details", {}, element("summary", {}, "Overlap of relations"), grid);
  const compare = async () => {
    const wanted = latest.begin();
    fill(grid, missingLine("Comparing edges …"));
    try {
      const compared = largestRelations(scene, MAX_COMPARED).map(({ relation }) => relation);
      const loaded = await loadRelations(scene, compared);
      const overlaps = await relationOverlaps(loaded);
      if (!wanted()) return;
      const notes = [
        "Each cell: edges that both relations have, as a share of the edges of the smaller one. hmge inspect reports another number: their share of the edges that either relation has (Jaccard).",
      ];
      if (numRelations > MAX_COMPARED)
        notes.push(`The ${MAX_COMPARED} largest of ${numRelations} relations are compared.`);
      if (overlaps.some(({ sampled }) => sampled))
        notes.push("Large relations are compared by a sample of their edges.");
      fill(grid, element("p", { class: "muted" }, notes.join(" ")), overlapGrid(loaded, overlaps));
    } catch (error) {
      if (wanted()) fill(grid, errorLine(error));
    }
  };
  overlap.addEventListener("toggle", () => {
    if (overlap.open && grid.childElementCount === 0) void compare();
  });

  if (numRelations === 0) fill(host, missingLine("This scene has no relations: no edges can be shown."));
  else {
    fill(
      host,
      element("div", { class: "relation-list-buttons" }, allOn, allOff),
      element("ul", { class: "relation-list", "aria-label": "Relations" }, ...rows),
      numRelations > MAX_LISTED
        ? missingLine(`The ${MAX_LISTED} largest of ${numRelations.toLocaleString("en")} relations are listed.`)
        : undefined,
      element(
        "fieldset",
        { class: "relation-list-edges" },
        element("legend", {}, "Edges drawn"),
        ...choices.map(({ label }) => label),
      ),
      drawnLine,
      numRelations > 1 ? overlap : undefined,
    );
  }

  const show = () => {
    for (const [place, { relation }] of listed.entries()) {
      switches[place].checked = state.on.includes(relation);
      fill(swatches[place], swatch(relationColor(relation, state.theme)));
    }
    for (const { value, input } of choices) input.checked = value === state.edges;
    allOn.disabled = state.on.length === numRelations;
    allOff.disabled = state.on.length === 0;
    drawnLine.textContent = drawnText(state);
  };
  show();

  return {
    update(changes) {
      state = { ...state, ...changes };
      show();
    },
    dispose() {
      latest.begin();
      fill(host);
    },
  };
}

/** The relations with most edges, at most `count`, in the order of the scene. */
function largestRelations(scene: Scene, count: number) {
  const all = scene.header.relations.map((facts, relation) => ({ ...facts, relation }));
  if (all.length <= count) return all;
  const largest = all.sort((a, b) => b.numEdges - a.numEdges).slice(0, count);
  return largest.sort((a, b) => a.relation - b.relation);
}

function drawnText({ on, edges, drawn }: RelationListState): string {
  if (edges === "none") return "No edges are drawn.";
  if (on.length === 0) return "No edges are drawn: all relations are off.";
  if (drawn === undefined) return "";
  if (drawn.count === 0 && edges === "selection") return "No edges are drawn: select nodes to see theirs.";
  if (drawn.count === 0 && edges === "inside") return "No edges are drawn: no two selected nodes have one.";
  const hidden = drawn.leftOut > 0 ? `; ${drawn.leftOut.toLocaleString("en")} more are hidden` : "";
  return `${countText(drawn.count, "edge")} drawn${hidden}.`;
}
