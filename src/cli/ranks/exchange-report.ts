/** One line about the exchanges of a training on several ranks. */

import { gatherTexts } from "../../cluster/agreement.js";
import type { MpiRanks } from "../../cluster/mpi.js";
import type { ExchangeReport } from "../../engine/partition/partitioned-engine.js";
import { largestOf, smallestOf } from "../../numeric/extremes.js";
import { formatBytes, formatCount } from "../../report/format.js";

/** All ranks call it. `seconds` is the time of all epochs on this rank. */
export function gatherExchanges(
  ranks: MpiRanks,
  report: ExchangeReport,
  { numEpochs, seconds }: { readonly numEpochs: number; readonly seconds: number },
): string {
  const own = { ...report, share: report.seconds / seconds };
  const all = gatherTexts(ranks, JSON.stringify(own)).map((text): typeof own => JSON.parse(text));
  const sum = (value: (rank: typeof own) => number) => all.reduce((total, rank) => total + value(rank), 0);
  const rows = all.map(({ ownRows }) => ownRows);
  const haloShare =
    sum(({ haloRows }) => haloRows) /
    Math.max(
      1,
      sum(({ ownRows }) => ownRows),
    );
  const bytes = sum(({ bytesSent }) => bytesSent) / Math.max(1, numEpochs);
  const waiting = Math.min(1, sum(({ share }) => share) / all.length);
  return `ranks: ${all.length}, each with ${formatCount(smallestOf(rows))} to ${formatCount(largestOf(rows))} nodes; the operation that needs most rows of other ranks reads ${percent(haloShare)} as many as its rank has nodes; all ranks sent ${formatBytes(bytes)} an epoch together and each spent ${percent(waiting)} of the training in exchanges`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
