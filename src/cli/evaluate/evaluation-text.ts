/** Scores of evaluations in words. */

import { plural } from "../../report/format.js";
import { table } from "../../report/terminal.js";
import type { RepeatedScore } from "../../tasks/metrics/mean-deviation.js";
import { type Output, tableLayout } from "../terminal/output.js";

/** `0.8812 ± 0.0123`, with a second ± where there are both repeats and several embeddings. */
export function spreadText({ mean, overRepeats, overEmbeddings }: RepeatedScore, ascii: boolean): string {
  const sign = ascii ? "+-" : "±";
  return [mean, overRepeats, overEmbeddings]
    .filter((value) => value !== null)
    .map((value) => value.toFixed(4))
    .join(` ${sign} `);
}

/** A sentence that explains the ± of a table. */
export function spreadNote(
  { embeddings, repeats }: { readonly embeddings: number; readonly repeats: number },
  repeated: string,
): string | undefined {
  const parts = [
    repeats > 1 ? `the ${repeats} ${repeated}${embeddings > 1 ? " of one embedding" : ""}` : "",
    embeddings > 1 ? plural(embeddings, "embedding") : "",
  ].filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  return `Mean ± deviation over ${parts.join(", then ± deviation over the means of the ")}.`;
}

export function printScores(
  output: Output,
  {
    head,
    rows,
    spread,
    notes,
  }: {
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly spread: string | undefined;
    readonly notes: readonly string[];
  },
): void {
  for (const line of head) output.print(line);
  output.print("");
  output.print(table(rows, tableLayout(output)));
  if (spread !== undefined && !output.quiet) {
    output.print("");
    output.print(output.ascii ? spread.replaceAll("±", "+-") : spread);
  }
  for (const note of notes) output.note(`note: ${note}`);
}
