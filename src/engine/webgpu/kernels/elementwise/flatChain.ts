import { MAX_STORED } from "../../joins/flat-chain.js";
import { groupsOf, type Launch, oneThreadEach } from "../../kernel.js";

export const launch: Launch = {
  includes: ["exponential", "mask", "rowWeights"],
  numOutputs: MAX_STORED,
  phases: ({ arguments: [, , entries] }) => oneThreadEach(groupsOf("int" in entries ? entries.int : 0, 4)),
};
