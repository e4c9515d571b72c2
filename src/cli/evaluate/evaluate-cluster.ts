/** `hmge evaluate cluster`: runs k-means on vectors and compares the clusters with the classes of the nodes. */

import { formatCount, plural } from "../../report/format.js";
import { CLUSTERING_OPTIONS, clusterNodes } from "../../tasks/clustering/clustering.js";
import type { Arguments, Command } from "../command.js";
import type { Output } from "../terminal/output.js";
import { readEvaluationInput } from "./evaluation-input.js";
import { LABEL_OPTIONS, TEST_SPLIT_OPTION } from "./evaluation-options.js";
import { printScores, spreadNote, spreadText } from "./evaluation-text.js";

const OPTIONS = {
  ...LABEL_OPTIONS,
  ...TEST_SPLIT_OPTION,
  ...CLUSTERING_OPTIONS,
};

export const evaluateCluster: Command<typeof OPTIONS> = {
  usage: "DIR… --labels FILE [options]",
  options: OPTIONS,
  examples: ["vectors --labels labels.csv", "seed1 seed2 seed3 --labels dataset --split given --json"],
  run: runCluster,
};

async function runCluster(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { clusters, repeats, restarts, seed } = args.values;
  const { embeddings, labels, split, paths, notes: inputNotes } = await readEvaluationInput(args, "cluster");
  const clustering = clusterNodes(embeddings, labels, { clusters, repeats, restarts, seed, split });
  const notes = [...inputNotes, ...clustering.notes];
  output.document({ task: "cluster", files: paths, ...clustering, notes });
  const { results } = clustering;
  printScores(output, {
    head: [
      `${output.style.bold("cluster")}  ${formatCount(clustering.nodes)} ${clustering.part === "test" ? "test" : "labelled"} nodes, ${plural(clustering.classes, "class", "classes")}; k-means with ${plural(clustering.clusters, "cluster")}, best of ${plural(clustering.restarts, "random initialisation")}`,
    ],
    rows: [
      ["vectors", "NMI", "ARI", "accuracy"],
      ...results.map(({ rows, nmi, ari, accuracy }) => [
        rows,
        ...[nmi, ari, accuracy].map((spread) => spreadText(spread, output.ascii)),
      ]),
    ],
    spread: spreadNote(clustering, "runs"),
    notes,
  });
  return 0;
}
