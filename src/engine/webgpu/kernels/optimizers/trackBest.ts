import type { Launch } from "../../kernel.js";

export const launch: Launch = { width: () => 1, phases: () => [{ entry: "run", workgroups: 1 }] };
