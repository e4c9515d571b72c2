import type { Launch } from "../../kernel.js";
import { copiedColumns, startOf } from "./columns.js";

export const launch: Launch = copiedColumns(startOf);
