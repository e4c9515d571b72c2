import { type Call, groupsOf, type Launch, type Phase, sizeOf, THREADS } from "../../kernel.js";

/** Largest number of places that are counted pair by pair. Not tuned. */
const MAX_COUNTED = 4096;
/** Largest number of comparisons of that: from there on, sorting in passes takes less time on a card. Not tuned. */
const MAX_COMPARISONS = 2 ** 26;
/** Places that a workgroup sorts; the kernel packs them in ten bits. */
const BLOCK = 1024;
/** Most bits of a digit: a thread of the workgroup for each digit. */
const MAX_BITS = 8;

function numRows({ outputs: [start] }: Call): number {
  return start.rows - 1;
}

/** Passes of the sort; 0: one phase compares all places. */
function passes(call: Call): number {
  const size = sizeOf(call.inputs[0]);
  const comparisons = (size + numRows(call) + 1) * size;
  if (size <= MAX_COUNTED && comparisons <= MAX_COMPARISONS) return 0;
  return groupsOf(keyBits(call), MAX_BITS);
}

/** Bits of the largest key, the number of rows: it stands for MISSING. */
function keyBits(call: Call): number {
  return Math.max(1, 32 - Math.clz32(numRows(call)));
}

/** Bits of the digits, as in the shader. */
function digitBits(call: Call): number {
  return groupsOf(keyBits(call), Math.max(1, passes(call)));
}

export const launch: Launch = {
  width: () => 1,
  constants: (call) => ({ PASSES: passes(call) }),
  scratch: (call) => {
    if (passes(call) === 0) return {};
    const size = sizeOf(call.inputs[0]);
    return { words: 2 * size + 2 ** digitBits(call) * (groupsOf(size, BLOCK) + 1) };
  },
  phases: (call) => {
    const size = sizeOf(call.inputs[0]);
    if (passes(call) === 0) return [{ entry: "count", workgroups: groupsOf(size + numRows(call) + 1, THREADS) }];
    const blocks = groupsOf(size, BLOCK);
    const pass: readonly Phase[] = [
      { entry: "countDigits", workgroups: blocks },
      { entry: "addCounts", workgroups: 2 ** digitBits(call) },
      { entry: "scatter", workgroups: blocks },
    ];
    const starts = { entry: "findStarts", workgroups: groupsOf(numRows(call) + 1, THREADS) };
    return [...new Array<readonly Phase[]>(passes(call)).fill(pass).flat(), starts];
  },
};
