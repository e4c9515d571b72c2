import type { Launch } from "../../kernel.js";
import { launch as spmm } from "./spmm.js";

export const launch: Launch = { ...spmm };
