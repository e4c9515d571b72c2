import { expect, test } from "vitest";
import type { Attribute } from "../scene/scene.js";
import { legendLines } from "./legend-lines.js";

const team: Attribute = {
  name: "team",
  kind: "category",
  categories: ["red", "blue"],
  codes: Int32Array.of(0, 0, 1, -1),
};
const age: Attribute = { name: "age", kind: "number", values: Float32Array.of(3, 5, 4, 5) };
const common = { hidden: [], relations: [], theme: "light" } as const;
const texts = (options: Partial<Parameters<typeof legendLines>[0]>) =>
  legendLines({ attribute: team, ...common, ...options }).map((line) =>
    line.kind === "ramp" ? `${line.min} to ${line.max}` : `${line.kind} ${line.text}`,
  );

test("a picture names the colours that it shows, and the relations whose edges are drawn", () => {
  expect(texts({})).toEqual(["heading team", "dot red", "dot blue", "dot no value"]);
  expect(texts({ hidden: ["red", null] })).toEqual(["heading team", "dot blue"]);
  expect(texts({ attribute: age, relations: [{ relation: 1, name: "calls" }] })).toEqual([
    "heading age",
    "3 to 5",
    "heading Relations",
    "line calls",
  ]);
  expect(texts({ attribute: undefined })).toEqual([]);
});
