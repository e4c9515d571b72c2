/** `hmge evaluate search`: whether the nearest nodes have the same label. */

import { formatCount } from "../../report/format.js";
import { SEARCH_OPTIONS, searchSimilar } from "../../tasks/neighbors/sim-at-k.js";
import type { Arguments, Command } from "../command.js";
import type { Output } from "../terminal/output.js";
import { readEvaluationInput } from "./evaluation-input.js";
import { LABEL_OPTIONS, TEST_SPLIT_OPTION } from "./evaluation-options.js";
import { printScores, spreadNote, spreadText } from "./evaluation-text.js";

const OPTIONS = {
  ...LABEL_OPTIONS,
  ...TEST_SPLIT_OPTION,
  ...SEARCH_OPTIONS,
};

export const evaluateSearch: Command<typeof OPTIONS> = {
  usage: "DIR… --labels FILE [options]",
  options: OPTIONS,
  examples: ["vectors --labels labels.csv", "vectors --labels dataset --split given --json"],
  run: runSearch,
};

async function runSearch(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { queries, seed } = args.values;
  const { embeddings, labels, split, paths, notes: before } = await readEvaluationInput(args, "search");
  const found = searchSimilar(embeddings, labels, { queries, seed, split });
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
