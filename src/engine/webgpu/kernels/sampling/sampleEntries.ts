import { drawsLaunch } from "./draws.js";

/** Four draws share a block of random words. */
export const launch = drawsLaunch(4, "matrix");
