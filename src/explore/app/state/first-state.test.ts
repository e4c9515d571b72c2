import { expect, test } from "vitest";
import { testScene } from "../../questions/test-scene.js";
import type { Attribute } from "../../scene/scene.js";
import { defaultColor, firstState } from "./first-state.js";

const names: Attribute = { name: "name", kind: "category", categories: ["A", "B", "C"], codes: Int32Array.of(0, 1, 2) };
const age: Attribute = { name: "age", kind: "number", values: new Float32Array(3) };
const team: Attribute = { name: "team", kind: "category", categories: ["x"], codes: new Int32Array(3) };

test("names label the nodes and classes colour them; numbers come before names", () => {
  const scene = testScene({ ids: ["n1", "n2", "n3"], attributes: [names, age, team] });
  expect(firstState(scene)).toMatchObject({ labels: "name", color: "team" });
  expect([defaultColor([names, age]), defaultColor([names]), defaultColor([])]).toEqual([age, names, undefined]);
});
