/** Which ranks share the memory of a machine. */

import { closeSync, existsSync } from "node:fs";
import type { Ranks } from "../engine/ranks.js";
import { gatherTexts } from "./agreement.js";
import { createNamed, forgetName, memoryFolders } from "./memory-file.js";

/** Environment variable with a name for the machine. Ranks with different names share no memory, as if they ran on different machines. */
const MACHINE_VARIABLE = "HMGE_MACHINE";

/** Returns for each rank the first rank of its machine. Two ranks are on one machine if they see the same files in memory. */
export function findMachines(ranks: Ranks, name = process.env[MACHINE_VARIABLE] ?? ""): readonly number[] {
  const { path, descriptor } = createSeen();
  closeSync(descriptor);
  const all = gatherTexts(ranks, JSON.stringify({ path, name })).map((text): { path: string; name: string } =>
    JSON.parse(text),
  );
  const first = all.findIndex((other) => other.name === name && existsSync(other.path));
  const machines = gatherTexts(ranks, String(first)).map(Number);
  forgetName(path);
  return machines;
}

/** An empty file in the first folder that takes it. */
function createSeen(): ReturnType<typeof createNamed> {
  const [best, ...others] = memoryFolders();
  try {
    return createNamed(best);
  } catch (error) {
    if (others.length === 0) throw error;
    return createNamed(others[0]);
  }
}
