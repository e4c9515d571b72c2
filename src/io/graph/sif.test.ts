/** Cytoscape's .sif files. */

import { expect, test } from "vitest";
import { temporaryFolder } from "../test-files.js";
import { loadGraph } from "./load-graph.js";

const { write } = temporaryFolder();
const summary = async (name: string, text: string) => {
  const { ids, relations } = await loadGraph(write(name, text));
  return [ids.join(" "), ...relations.map(({ name: relation, numEdges }) => `${relation} ${numEdges}`)];
};

test("lines of source, relation and targets, and nodes alone", async () => {
  const expected = ["TNF A B C lone".split(" ").sort().join(" "), "pd 1", "pp 3"];
  expect(await summary("tabs.sif", "TNF\tpp\tA\tB\nB\tpd\tC\nlone\nA\tpp\tC\n")).toEqual(expected);
  expect(await summary("blanks.sif", "TNF pp A B\r\nB pd C\r\nlone\r\nA pp C")).toEqual(expected);
  expect(await summary("header.sif", "source\tinteraction\ttarget\nTNF\tpp\tA\n")).toEqual(["A TNF", "pp 1"]);
});

test("what is none is told with its line", async () => {
  await expect(summary("two.sif", "a\tpp\tb\na\tpp\n")).rejects.toThrow(
    /two.sif:2: 2 fields; expected a node, or source/,
  );
  await expect(summary("lone.sif", "a\nb\n")).rejects.toThrow(/lone.sif: no edge; expected lines/);
});
