import { dotsLaunch } from "./dots.js";

export const launch = dotsLaunch;
