import { FLAT, type Launch } from "../../kernel.js";

export const launch: Launch = { ...FLAT, includes: ["philox", "mask"] };
