import type { Launch } from "../../kernel.js";
import { copiedColumns } from "./columns.js";

export const launch: Launch = copiedColumns(() => 0);
