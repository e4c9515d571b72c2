import { type Launch, oneThreadEach, sizeOf } from "../../kernel.js";

export const launch: Launch = { phases: ({ outputs: [y] }) => oneThreadEach(sizeOf(y)) };
