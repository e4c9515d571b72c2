/** `hmge evaluate cluster`: k-means on vectors, against the classes of nodes. */

import { formatCount, plural } from "../../report/format.js";
import type { Arguments, Command } from "../command.js";
import { readCount } from "../options/number-options.js";
import type { Output } from "../terminal/output.js";
import { LABEL_OPTIONS, TEST_SPLIT_OPTION } from "./evaluation-options.js";

export const evaluateCluster: Command = {
  usage: "DIR… --labels FILE [options]",
  options: [
    ...LABEL_OPTIONS,
    TEST_SPLIT_OPTION,
    { name: "clusters", value: "K", doc: "clusters", default: "as many as classes" },
    { name: "repeats", value: "N", doc: "runs of k-means", default: "10" },
    { name: "restarts", value: "N", doc: "starts of each run, of which the best is kept", default: "10" },
    { name: "seed", value: "N", doc: "of the starts", default: "1" },
  ],
  examples: ["vectors --labels labels.csv", "seed1 seed2 seed3 --labels dataset --split given --json"],
  run: runCluster,
};

async function runCluster(given: Arguments, output: Output): Promise<number> {
  const options = {
    clusters: readCount(given, "clusters", 1),
    repeats: readCount(given, "repeats", 1),
    restarts: readCount(given, "restarts", 1),
    seed: readCount(given, "seed", 0),
  };
  const [{ readEvaluationInput }, { clusterNodes }, { printScores, spreadNote, spreadText }] = await Promise.all([
    import("./evaluation-input.js"),
    import("../../tasks/clustering/clustering.js"),
    import("./evaluation-text.js"),
  ]);
  const { embeddings, labels, split, paths, notes: before } = await readEvaluationInput(given, "cluster");
  const found = clusterNodes(embeddings, labels, { ...options, split });
  const notes = [...before, ...found.notes];
  output.document({ task: "cluster", files: paths, ...found, notes });
  const { results } = found;
  printScores(output, {
    head: [
      `${output.style.bold("cluster")}  ${formatCount(found.nodes)} ${found.part === "test" ? "test" : "labelled"} nodes, ${plural(found.classes, "class", "classes")}; k-means with ${plural(found.clusters, "cluster")}, best of ${plural(found.restarts, "start")}`,
    ],
    rows: [
      ["vectors", "NMI", "ARI", "accuracy"],
      ...results.map(({ rows, nmi, ari, accuracy }) => [
        rows,
        ...[nmi, ari, accuracy].map((spread) => spreadText(spread, output.ascii)),
      ]),
    ],
    spread: spreadNote(found, "runs"),
    notes,
  });
  return 0;
}
