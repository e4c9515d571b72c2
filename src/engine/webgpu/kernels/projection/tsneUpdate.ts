import { groupsOf, type Launch, THREADS } from "../../kernel.js";

export const launch: Launch = {
  width: () => 1,
  scratch: ({ inputs: [y] }) => ({ floats: 2 * groupsOf(y.rows, THREADS) }),
  phases: ({ inputs: [y] }) => {
    const workgroups = groupsOf(y.rows, THREADS);
    return [
      { entry: "run", workgroups },
      { entry: "finish", workgroups },
    ];
  },
};
