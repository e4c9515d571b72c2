/** The summary that `hmge embed` prints after training. */

import { join } from "node:path";
import type { RunRecord } from "../../core/record.js";
import { shellWord } from "../../core/text.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { appendAll } from "../../numeric/append-all.js";
import { largestOf } from "../../numeric/extremes.js";
import {
  diagnosisInWords,
  divergenceInWords,
  isCollapsed,
  movementInWords,
  recoveryInWords,
  type Size,
  viewsInWords,
} from "../../report/diagnosis.js";
import {
  barChart,
  formatBytes,
  formatCount,
  formatLoss,
  formatSeconds,
  lossPlot,
  plural,
} from "../../report/terminal.js";
import type { Output } from "../terminal/output.js";
import { programName } from "../terminal/program-name.js";

/** Maximum number of relations whose weights are drawn as bars. */
const MAX_BARS = 20;

const REASONS: Record<RunRecord["stopReason"], string> = {
  patience: "the loss stopped falling",
  epochs: "all epochs done",
  aborted: "interrupted",
};

/** Columns of the heads of the lines, such as `training`. */
const HEAD_COLUMNS = 10;
/** Minimum seconds of preparation that the summary mentions. */
const MIN_PREPARATION_SECONDS = 2;

export function embedSummary(
  record: RunRecord,
  out: string,
  multiplex: Multiplex,
  { ascii, columns, style }: Output,
): string {
  const width = Math.min(72, columns);
  const { graph, labels, seconds, memory, diagnostics } = record;
  const diverged = divergenceInWords(record);
  const recovery = recoveryInWords(diagnostics.spectralRecovery);
  // two spaces or more after the head: continued lines are indented to the text
  const head = (name: string) => style.bold(name) + " ".repeat(HEAD_COLUMNS - name.length);
  const lines = [
    `${head("graph")}${plural(graph.nodes, "node")}, ${plural(graph.edges, "edge")} in ${plural(graph.relations.length, "relation")}${graph.isolated > 0 ? `, ${plural(graph.isolated, "isolated node")}` : ""}${graph.features === null ? "" : `, ${plural(graph.features, "feature")}`}`,
    ...(labels === null
      ? []
      : [
          `${head("labels")}semi-supervised: learnt from the labels of ${plural(labels.nodes, "node")}, ${plural(labels.classes, "class", "classes")} (${labels.split ?? labels.file})`,
        ]),
    `${head("training")}${plural(record.epochs, "epoch")} in ${formatSeconds(seconds.train)} (${formatSeconds(seconds.perEpoch)} each)${seconds.start < MIN_PREPARATION_SECONDS ? "" : `, after ${formatSeconds(seconds.start)} of preparation`}, ${REASONS[record.stopReason]}; the vectors are those of epoch ${formatCount(record.bestEpoch)}, loss ${formatLoss(record.bestLoss)}`,
    ...(diverged === undefined ? [] : [`${head("")}${diverged}`]),
    `${head("vectors")}${diagnosisInWords(diagnostics, sizeOf(record))}`,
    ...(recovery === undefined ? [] : [`${head("")}${recovery}`]),
    ...(record.views.length === 0 ? [] : [`${head("columns")}${viewsInWords(record.views)}`]),
    ...record.findings.map((finding) => `${head("finding")}${finding}`),
    ...diagnostics.weightMovement.map((movement) => `${head("weights")}${movementInWords(movement)}`),
    `${head("engine")}${record.engine.description}, peak memory ${formatBytes(memory.peakBytes)}${record.engine.device === undefined ? "" : ` and ${formatBytes(memory.engineBytes)} on the GPU`}, ${formatSeconds(seconds.total)} in total`,
  ];
  if (record.losses.length > 1) {
    lines.push("", lossPlot(record.losses, { width, height: 6, ascii, bestEpoch: record.bestEpoch }));
  }
  for (const weights of record.relationWeights) {
    if (weights.final.length < 2 || weights.final.length > MAX_BARS) continue;
    const bars = graph.relations.map(({ name }, i) => {
      return { label: name, value: weights.final[i], initial: weights.initial[i] };
    });
    lines.push("", `${weights.name} weights (${ascii ? "|" : "┊"} initial weight)`, barChart(bars, { width, ascii }));
  }
  lines.push("", "written");
  appendAll(
    lines,
    record.outputs.map((name) => `  ${join(out, name)}`),
  );
  lines.push("");
  appendAll(lines, nextSteps(record, out, multiplex));
  return lines.join("\n");
}

function sizeOf({ options, graph }: RunRecord): Size {
  return { dim: Number(options["dim"]), nodes: graph.nodes };
}

function nextSteps(record: RunRecord, out: string, graph: Multiplex): string[] {
  if (divergenceInWords(record) !== undefined) return ["Train again with a smaller --learning-rate."];
  if (record.stopReason === "aborted") {
    return [
      `The run was interrupted; the files hold its vectors so far. Repeat the command with --resume to continue.`,
    ];
  }
  if (isCollapsed(record.diagnostics, sizeOf(record))) {
    if (record.stopReason === "epochs") return ["The loss was still falling: train longer with a larger --epochs."];
    const aggregation = record.options["aggregation"] === undefined ? "" : ", --set aggregation=mean";
    return [
      `Try another --seed, --learning-rate${aggregation} or another --model; hmge models lists them and their options.`,
    ];
  }
  const node = mostConnected(graph);
  return [
    `Try: ${programName()} explore ${shellWord(out)}`,
    `     ${programName()} neighbors ${shellWord(out)} ${node.startsWith("-") ? "-- " : ""}${shellWord(node)}`,
  ];
}

/** The node with the most edges. */
function mostConnected({ ids, relations }: Multiplex): string {
  const edges = new Float64Array(ids.length);
  for (const { rowStart } of relations) {
    for (let node = 0; node < ids.length; node++) edges[node] += rowStart[node + 1] - rowStart[node];
  }
  return ids[edges.indexOf(largestOf(edges))];
}
