import { PANEL } from "../../../ops/search-lists.js";
import { type Call, groupsOf, type Launch } from "../../kernel.js";
import { listWords, queryBlocks, type Search, searchPhases } from "../../nearest.js";

/** Lists that a workgroup of `mark` marks; as in the source. */
const MARKED = 1024;

function searchOf({ inputs: [, names], outputs: [{ rows, cols }] }: Call): Search {
  return { queries: rows, candidates: names.rows * PANEL, k: cols };
}

function numLists({ inputs: [, , starts] }: Call): number {
  return starts.rows - 1;
}

export const launch: Launch = {
  includes: ["sortedList", "nearestTile"],
  width: () => 1,
  scratch: (call) => {
    const search = searchOf(call);
    return { words: 2 * queryBlocks(search) * numLists(call) + listWords(search) };
  },
  phases: (call) => {
    const search = searchOf(call);
    return [
      { entry: "mark", workgroups: queryBlocks(search) * groupsOf(numLists(call), MARKED) },
      ...searchPhases(search),
    ];
  },
};
