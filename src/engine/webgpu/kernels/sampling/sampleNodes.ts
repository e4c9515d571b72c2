import { drawsLaunch } from "./draws.js";

/** Two draws share a block of random words. */
export const launch = drawsLaunch(2);
