/** The tasks that threads know. */

import { logRatios } from "../diffusion/log-ratio-matrix.js";
import { rankRows } from "../diffusion/rank-rows.js";
import type { NamedRowTask } from "./row-task.js";

// a thread receives its input from the code that names the task, so the types fit
const TASKS: readonly NamedRowTask<never, unknown>[] = [rankRows, logRatios];

export function findRowTask(name: string): NamedRowTask<never, unknown> | undefined {
  return TASKS.find((task) => task.name === name);
}
