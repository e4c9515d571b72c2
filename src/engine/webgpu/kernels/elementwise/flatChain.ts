import { groupsOf, type Launch, oneThreadEach } from "../../kernel.js";

/** As MAX_STORED of joins/flat-chain.ts. */
const NUM_OUTPUTS = 4;

export const launch: Launch = {
  includes: ["exponential", "mask", "rowWeights"],
  numOutputs: NUM_OUTPUTS,
  phases: ({ arguments: [, , entries] }) => oneThreadEach(groupsOf("int" in entries ? entries.int : 0, 4)),
};
