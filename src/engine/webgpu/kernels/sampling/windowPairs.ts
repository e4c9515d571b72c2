import { drawsLaunch } from "./draws.js";

export const launch = drawsLaunch(1);
