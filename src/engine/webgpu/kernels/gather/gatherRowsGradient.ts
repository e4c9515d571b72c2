import { groupedLaunch } from "./grouped.js";

export const launch = groupedLaunch(({ inputs: [, order] }) => order.rows);
