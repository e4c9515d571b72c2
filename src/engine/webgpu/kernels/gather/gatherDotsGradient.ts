import { sizeOf } from "../../kernel.js";
import { groupedLaunch } from "./grouped.js";

export const launch = groupedLaunch(({ inputs: [, , g] }) => sizeOf(g));
