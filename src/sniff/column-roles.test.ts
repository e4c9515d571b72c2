import { expect, test } from "vitest";
import { EDGE_ROLES, findPairByEnds } from "./column-roles.js";
import { detectTextTable } from "./detect-text-table.js";
import { isProbablyHeader } from "./header-row.js";
import { scanHead } from "./scan-head.js";

const headOf = (text: string) => ({
  path: "edges.csv",
  extension: "csv",
  stem: "edges",
  marked: false,
  text,
  complete: true,
});
const detected = (text: string) => {
  const { header, chosen } = detectTextTable(headOf(text), { roles: EDGE_ROLES });
  return { header, ...Object.fromEntries(chosen) };
};

test.each([
  [
    ["protein_a", "protein_b", "score"],
    [0, 1],
  ],
  [
    ["kind", "InteractorA", "InteractorB"],
    [1, 2],
  ],
  [
    ["Symbol A", "Symbol B"],
    [0, 1],
  ],
  [
    ["author2", "author1"],
    [1, 0],
  ],
  [["protein_a", "protein_b", "score_a", "score_b"], undefined],
  [["id", "score_a", "score_b"], undefined],
  [["n1", "n2"], undefined],
  [["column 1", "column 2"], undefined],
  [["protein_a", "protein_c"], undefined],
])("the endpoints among %j", (names, expected) => {
  const pair = findPairByEnds(names);
  expect(pair && [pair.source, pair.target]).toEqual(expected);
});

test("a pair of names is a header with the usual relation and weight, unless ids below begin as they do", () => {
  expect(detected("protein_a,protein_b,type,score\nP1,P2,physical,0.5\n")).toEqual({
    header: true,
    source: 0,
    target: 1,
    relation: 2,
    weight: 3,
  });
  expect(detected("person1,person2\nperson2,person3\n")).toEqual({ header: false, source: 0, target: 1 });
});

test("a first row is probably a header if it has text above numbers, or names that occur nowhere below", () => {
  const isHeader = (text: string) => isProbablyHeader(scanHead(headOf(text), false).rows);
  const rows = ["a,b,x", "b,c,x", "c,d,y", "d,e,y", "e,f,x"];
  expect(isHeader("first,second,strength\na,b,1\n")).toBe(true);
  expect(isHeader(["first,second,tie", ...rows].join("\n"))).toBe(true);
  expect(isHeader(["first,second,x", ...rows].join("\n"))).toBe(false);
  expect(isHeader(rows.slice(0, 2).join("\n"))).toBe(false);
});
