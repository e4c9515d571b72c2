/** The commands, in the order of the help. */

import type { Command } from "./command.js";
import { embed } from "./embed.js";

export const commands: readonly Command[] = [embed];
