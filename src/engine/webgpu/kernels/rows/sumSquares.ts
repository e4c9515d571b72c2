import type { Launch } from "../../kernel.js";
import { sumOfEntries } from "./lanes.js";

export const launch: Launch = sumOfEntries();
