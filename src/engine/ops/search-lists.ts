/**
 * The k candidates with the largest inner product with each query, among the lists that the query probes: their names and
 * scores, largest first, equal scores by name. Exact within the lists: every candidate of a probed list is compared.
 *
 * Inputs:
 *  - panels [numPanels · width, 16]: candidates as columns. Panel p holds 16 of them, in the rows p · width …; unused
 *    columns of the last panel of a list are zero.
 *  - names [numPanels, 16] (index): the number of each candidate, `MISSING` for unused columns. Names are distinct.
 *  - starts [numLists + 1, 1] (index): list l consists of the panels starts[l] … starts[l + 1] − 1.
 *  - queries [m, width].
 *  - own [m, 1] (index): a name that the query must not find (its own), or `MISSING`.
 *  - probes [m, p] (index): the lists of each query, in any order, each at most once; `MISSING` means none.
 * Outputs: names [m, k] (index) and scores [m, k]. With fewer than k candidates the rest is `MISSING` with a score of
 * −Infinity.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";
import { MISSING } from "./missing.js";

/** Number of candidates of a panel. */
export const PANEL = 16;

interface Attributes {
  readonly k: number;
}

export const searchListsOp = defineOp<Attributes>({
  name: "searchLists",
  outputs(inputs, { k }) {
    const [panels, names, starts, queries, own, probes] = inputs;
    const fits =
      panels.cols === PANEL &&
      names.cols === PANEL &&
      panels.rows === names.rows * queries.cols &&
      starts.rows >= 2 &&
      starts.cols === 1 &&
      own.rows === queries.rows &&
      own.cols === 1 &&
      probes.rows === queries.rows &&
      probes.cols >= 1 &&
      k >= 1;
    requireShape(fits, "searchLists", inputs);
    return [
      { rows: queries.rows, cols: k, dtype: "index" },
      { rows: queries.rows, cols: k },
    ];
  },
  reference([panels, names, starts, queries, own, probes], [foundNames, scores], { k }) {
    const { cols: width } = queries;
    for (let i = 0; i < queries.rows; i++) {
      const all: { name: number; score: number }[] = [];
      for (let e = 0; e < probes.cols; e++) {
        const list = probes.data[i * probes.cols + e];
        if (list === MISSING) continue;
        for (let at = PANEL * starts.data[list]; at < PANEL * starts.data[list + 1]; at++) {
          const name = names.data[at];
          if (name === MISSING || name === own.data[i]) continue;
          const [panel, column] = [Math.floor(at / PANEL), at % PANEL];
          let score = 0;
          for (let c = 0; c < width; c++) {
            score += queries.data[i * width + c] * panels.data[(panel * width + c) * PANEL + column];
          }
          all.push({ name, score });
        }
      }
      all.sort((a, b) => b.score - a.score || a.name - b.name);
      for (let e = 0; e < k; e++) {
        foundNames.data[i * k + e] = all[e]?.name ?? MISSING;
        scores.data[i * k + e] = all[e]?.score ?? -Infinity;
      }
    }
  },
  gradient: "the set of best candidates is not continuous",
});

/** Candidates in lists, as the op reads them. */
export interface ListTensors {
  readonly panels: Tensor;
  readonly names: Tensor;
  readonly starts: Tensor;
}

/** Names and scores of the k best candidates of the probed lists. */
export function searchLists(
  { panels, names, starts }: ListTensors,
  { queries, own, probes }: { readonly queries: Tensor; readonly own: Tensor; readonly probes: Tensor },
  k: number,
): { names: Tensor; scores: Tensor } {
  const [found, scores] = panels.builder.apply(searchListsOp, [panels, names, starts, queries, own, probes], { k });
  return { names: found, scores };
}
