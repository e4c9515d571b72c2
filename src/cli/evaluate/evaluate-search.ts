/** `hmge evaluate search`: whether the nearest nodes have the same label. */

import { formatCount } from "../../report/format.js";
import type { Arguments, Command } from "../command.js";
import { readCount } from "../options/number-options.js";
import type { Output } from "../terminal/output.js";
import { LABEL_OPTIONS, TEST_SPLIT_OPTION } from "./evaluation-options.js";

export const evaluateSearch: Command = {
  usage: "DIR… --labels FILE [options]",
  options: [
    ...LABEL_OPTIONS,
    TEST_SPLIT_OPTION,
    { name: "queries", value: "N", doc: "nodes searched for, drawn at random where there are more", default: "5000" },
    { name: "seed", value: "N", doc: "of the draw", default: "1" },
  ],
  examples: ["vectors --labels labels.csv", "vectors --labels dataset --split given --json"],
  run: runSearch,
};

async function runSearch(given: Arguments, output: Output): Promise<number> {
  const options = { queries: readCount(given, "queries", 1), seed: readCount(given, "seed", 0) };
  const [{ readEvaluationInput }, { searchSimilar }, { printScores, spreadNote, spreadText }] = await Promise.all([
    import("./evaluation-input.js"),
    import("../../tasks/neighbors/similarity-search.js"),
    import("./evaluation-text.js"),
  ]);
  const { embeddings, labels, split, paths, notes: before } = await readEvaluationInput(given, "search");
  const found = searchSimilar(embeddings, labels, { ...options, split });
  const notes = [...before, ...found.notes];
  output.document({ task: "search", files: paths, ...found, notes });
  const { results } = found;
  printScores(output, {
    head: [
      `${output.style.bold("search")}  ${formatCount(found.nodes)} ${found.part === "test" ? "test" : "labelled"} nodes, nearest by cosine; two nodes at random share a label with probability ${found.chance.toFixed(4)}`,
    ],
    rows: [
      ["vectors", ...results[0].simAtK.map(({ k }) => `Sim@${k}`)],
      ...results.map(({ rows, simAtK }) => [rows, ...simAtK.map(({ share }) => spreadText(share, output.ascii))]),
    ],
    spread: spreadNote({ embeddings: found.embeddings, repeats: 1 }, ""),
    notes,
  });
  return 0;
}
