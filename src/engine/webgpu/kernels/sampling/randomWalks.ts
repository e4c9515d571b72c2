import { type Launch, oneThreadEach } from "../../kernel.js";

export const launch: Launch = {
  includes: ["philox", "matrix"],
  width: () => 1,
  phases: ({ outputs: [walks] }) => oneThreadEach(walks.rows),
};
