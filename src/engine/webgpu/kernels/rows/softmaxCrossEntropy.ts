import { type Call, groupsOf, type Launch, rowWidth, THREADS } from "../../kernel.js";
import { blockSize, lanesOf } from "./lanes.js";

const lanes = ({ inputs: [logits] }: Call) => lanesOf(logits, rowWidth(logits));
const rows = (call: Call) => blockSize(call.inputs[0].rows, THREADS / lanes(call));
const blocks = (call: Call) => groupsOf(call.inputs[0].rows, rows(call));

export const launch: Launch = {
  includes: ["lanes", "blockSum", "exponential", "softmax"],
  width: ({ inputs: [logits] }) => rowWidth(logits),
  constants: (call) => ({ LANES: lanes(call), ROWS: rows(call) }),
  scratch: (call) => ({ floats: 4 * blocks(call) }),
  phases: (call) => [
    { entry: "run", workgroups: blocks(call) },
    { entry: "finish", workgroups: 1 },
  ],
};
