import type { Launch } from "../../kernel.js";
import { lanesPerRow } from "./lanes.js";

export const launch: Launch = lanesPerRow({ includes: ["gradientRow"] });
