/** The result of `hmge neighbors` as text. */

import { formatCount, plural, table } from "../../report/terminal.js";
import type { NeighborTable, neighborsInRow } from "../../tasks/neighbors/nearest-neighbors.js";
import type { SearchReport } from "../../tasks/neighbors/search/find-nearest.js";
import { type Output, tableLayout } from "../terminal/output.js";

/** Prints a table for each node. */
export function printNeighbors(
  results: readonly { node: string; neighbors: ReturnType<typeof neighborsInRow> }[],
  { centered, ids, search }: NeighborTable,
  output: Output,
): void {
  for (const { node, neighbors } of results) {
    if (neighbors.length === 0) {
      const why =
        ids.length === 1
          ? "there is no other node"
          : `its vector is ${centered ? "the mean of all" : "zero"}, or all candidates have zero vectors, so the cosine is undefined`;
      output.print(`${output.style.bold(node)}: ${why}`);
    } else {
      output.print(output.style.bold(node));
      const rows = neighbors.map(({ node: other, cosine }) => [other, cosine.toFixed(4)]);
      output.print(table([["node", "cosine"], ...rows], { ...tableLayout(output), indent: 2 }));
    }
    output.print("");
  }
  output.print(output.style.dim(searchText({ centered, search, k: 0 })));
}

/** How the neighbours were found, in words. */
export function searchText({ centered, search, k }: Pick<NeighborTable, "centered" | "search" | "k">): string {
  const vectors = centered ? "cosine after subtracting the mean vector" : "cosine of the unchanged vectors";
  return `${vectors}; ${recallText(search, k)}`;
}

/** How complete the search was. */
function recallText(search: SearchReport, k: number): string {
  if (search.method === "exact") return "all pairs compared";
  const { recall, sampled, lists, probes } = search;
  const at = k > 0 ? `recall@${k}` : "recall";
  return `approximate: ${at} ${recall.toFixed(2)} on ${plural(sampled, "sampled node")} (${formatCount(probes)} of ${plural(lists, "list")} searched for each node)`;
}
