import { groupsOf, type Launch, rowWidth } from "../../kernel.js";

/** Rows and columns of a tile (included/tile.wgsl). */
export const TILE = 64;

export const launch: Launch = {
  includes: ["tile"],
  width: ({ inputs: [a, b], outputs: [c] }) => rowWidth(a, b, c),
  phases: ({ outputs: [c] }) => [{ entry: "run", workgroups: groupsOf(c.rows, TILE) * groupsOf(c.cols, TILE) }],
};
