/** Cytoscape's .sif files. */

import { expect, test } from "vitest";
import { temporaryFolder } from "../test-files.js";
import { loadGraph } from "./load-graph.js";

const { write } = temporaryFolder();
const summary = async (name: string, text: string) => {
  const { ids, relations } = await loadGraph(write(name, text));
  return [ids.join(" "), ...relations.map(({ name: relation, numEdges }) => `${relation} ${numEdges}`)];
};

test("edges with several targets and nodes without edges are read", async () => {
  const expected = ["TNF A B C lone".split(" ").sort().join(" "), "pd 1", "pp 3"];
  expect(await summary("tabs.sif", "TNF\tpp\tA\tB\nB\tpd\tC\nlone\nA\tpp\tC\n")).toEqual(expected);
  expect(await summary("blanks.sif", "TNF pp A B\r\nB pd C\r\nlone\r\nA pp C")).toEqual(expected);
  expect(await summary("header.sif", "source\tinteraction\ttarget\nTNF\tpp\tA\n")).toEqual(["A TNF", "pp 1"]);
});

test("incomplete lines and files without edges are refused", async () => {
  await expect(summary("two.sif", "a\tpp\tb\na\tpp\n")).rejects.toThrow(
    /two.sif:2: 2 fields; expected one node, or a source/,
  );
  await expect(summary("lone.sif", "a\nb\n")).rejects.toThrow(/lone.sif: no edge; expected lines/);
});
