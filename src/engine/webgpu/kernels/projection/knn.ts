import type { Call, Launch } from "../../kernel.js";
import { listWords, type Search, searchPhases } from "../../nearest.js";

function searchOf({ inputs: [x], outputs: [{ rows, cols }] }: Call): Search {
  return { queries: rows, candidates: x.rows, k: cols };
}

export const launch: Launch = {
  includes: ["sortedList", "nearestTile"],
  width: () => 1,
  scratch: (call) => ({ words: listWords(searchOf(call)) }),
  phases: (call) => searchPhases(searchOf(call)),
};
