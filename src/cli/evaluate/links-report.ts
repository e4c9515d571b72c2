/** The result of `hmge evaluate links` as text and as a JSON document. */

import { formatCount, plural } from "../../report/format.js";
import { formatSeconds, table } from "../../report/terminal.js";
import type { LinkResults, LinkScores } from "../../tasks/links/evaluate-links.js";
import type { LinkLeaks } from "../../tasks/links/link-leaks.js";
import type { TrainedVectors } from "../run/train-vectors.js";
import { type Output, tableLayout } from "../terminal/output.js";
import type { LinksTask } from "./links-task.js";

export interface LinkRow {
  readonly name: string;
  readonly baseline: boolean;
  /** Whether a pair is scored from the edges of its relation only. */
  readonly ownRelation: boolean;
  readonly results: LinkResults;
  readonly withoutLeaks?: LinkResults;
  readonly seconds: number;
}

export interface LinksReport {
  readonly version: string;
  readonly graph: Readonly<Record<string, unknown>>;
  readonly protocol: {
    readonly pairs?: string;
    readonly strict: boolean;
    readonly dropLeaks: boolean;
    readonly byKind: boolean;
    readonly hitsAt: number;
  };
  readonly relations: readonly { readonly name: string; readonly edges: number; readonly trainingEdges: number }[];
  readonly training:
    | (Omit<TrainedVectors, "embedding" | "decoder"> & {
        readonly model: string;
        readonly preset: string;
        readonly options: Readonly<Record<string, unknown>>;
        readonly settings: Readonly<Record<string, unknown>>;
        readonly diagnostics: { readonly effectiveRank: number };
      })
    | null;
  readonly task: LinksTask;
  readonly rows: readonly LinkRow[];
}

export function linksDocument({ task, rows, relations, ...rest }: LinksReport) {
  const nameRelations = ({ perRelation, ...results }: LinkResults) => ({
    ...results,
    perRelation: perRelation.map(({ relation, ...scores }) => ({ relation: relations[relation].name, ...scores })),
  });
  return {
    task: "links",
    ...rest,
    relations,
    leaks: task.leaks,
    notes: task.notes,
    rows: rows.map(({ results, withoutLeaks, ...row }) => ({
      ...row,
      ...nameRelations(results),
      ...(withoutLeaks === undefined ? {} : { withoutLeaks: nameRelations(withoutLeaks) }),
    })),
  };
}

export function linksText(report: LinksReport, output: Output, perRelation: boolean): string {
  const { ascii, style } = output;
  const { task, rows, protocol, relations, training } = report;
  const lines = [`${style.bold("links")}  ${task.summary}`];
  if (training !== null) {
    const { model, epochs, seconds, diagnostics, options } = training;
    lines.push(
      `${style.bold("model")}  ${model}: ${plural(epochs, "epoch")} in ${formatSeconds(seconds)}${training.stopReason === "aborted" ? ", interrupted" : ""}; effective rank of its vectors ${diagnostics.effectiveRank.toFixed(1)} of ${options["dim"]}`,
    );
  }
  if (protocol.pairs !== undefined) lines.push(`${style.bold("leaks")}  ${leaksInWords(task.leaks)}`);
  const scoreTableOf = (results: (row: LinkRow) => LinkResults | undefined) =>
    scoreTable(rows, results, protocol.hitsAt, output);
  lines.push(
    "",
    `${tableTitle(rows[0].results.perRelation.length)}, in %`,
    scoreTableOf(({ results }) => results),
  );
  if (protocol.dropLeaks) {
    const leaks = protocol.strict ? "training edges of any relation" : "training edges of the same relation";
    lines.push(
      "",
      `without leaks (held-out edges that are also ${leaks}), in %`,
      scoreTableOf(({ withoutLeaks }) => withoutLeaks),
    );
  }
  if (perRelation) {
    for (const { relation, positives, negatives } of rows[0].results.perRelation) {
      const scoresOf = ({ results }: LinkRow) => results.perRelation.find((scores) => scores.relation === relation);
      const counts = `${plural(positives, "edge")}, ${plural(negatives, "negative pair")}`;
      const cells = rows.map((row) => [label(row, ascii), ...scoreCells(scoresOf(row))]);
      lines.push("", `${style.bold(relations[relation].name)}  ${counts}, in %`);
      lines.push(table([["score", ...scoreHeader(protocol.hitsAt)], ...cells], tableLayout(output)));
    }
  }
  return lines.join("\n");
}

function tableTitle(numRelations: number): string {
  return numRelations === 1
    ? "one relation"
    : `mean over ${numRelations} relations, and over all pairs together (pooled)`;
}

function scoreTable(
  rows: readonly LinkRow[],
  resultsOf: (row: LinkRow) => LinkResults | undefined,
  hitsAt: number,
  output: Output,
): string {
  const cells = rows.map((row) => {
    const results = resultsOf(row);
    return [
      label(row, output.ascii),
      ...scoreCells(results?.mean),
      percent(results?.pooled.auc),
      percent(results?.pooled.averagePrecision),
    ];
  });
  return table([["score", ...scoreHeader(hitsAt), "pooled AUC", "pooled AP"], ...cells], tableLayout(output));
}

function label({ name, ownRelation }: LinkRow, ascii: boolean): string {
  const text = ownRelation ? `${name}, own relation` : name;
  return ascii ? text.replaceAll("–", "-") : text;
}

function scoreHeader(hitsAt: number): string[] {
  return ["AUC", "AP", "F1", `hits@${hitsAt}`];
}

function scoreCells(scores: LinkScores | undefined): string[] {
  return [scores?.auc, scores?.averagePrecision, scores?.f1, scores?.hits].map(percent);
}

function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? "-" : (100 * value).toFixed(2);
}

function leaksInWords({ positives, sameRelation, reversed, otherRelation }: LinkLeaks): string {
  const share = (count: number) => `${formatCount(count)} (${((100 * count) / positives).toFixed(1)} %)`;
  const direction =
    reversed === null ? "in either direction" : `${formatCount(reversed)} of them only in the other direction`;
  return `${plural(positives, "held-out edge")}: ${share(sameRelation)} are also training edges of the same relation, ${direction}; ${share(otherRelation)} are training edges of another relation only`;
}
