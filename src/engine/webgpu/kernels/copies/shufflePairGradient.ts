import { groupsOf, type Launch, oneThreadEach, rowWidth, sizeOf } from "../../kernel.js";

export const launch: Launch = {
  width: ({ outputs: [y] }) => rowWidth(y),
  phases: ({ outputs: [y] }) => oneThreadEach(groupsOf(sizeOf(y), rowWidth(y))),
};
