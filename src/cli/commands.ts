/** The commands, in the order of the help. */

import { bench } from "./bench.js";
import type { Command } from "./command.js";
import { compare } from "./compare.js";
import { convert } from "./convert.js";
import { demo } from "./demo.js";
import { embed } from "./embed.js";
import { evaluate } from "./evaluate.js";
import { generate } from "./generate.js";
import { inspect } from "./inspect.js";
import { models } from "./models.js";
import { neighbors } from "./neighbors.js";
import { predict } from "./predict.js";
import { predictLinks } from "./predict-links.js";
import { project } from "./project.js";
import { reproduce } from "./reproduce.js";

export const commands: readonly Command[] = [
  embed,
  inspect,
  predict,
  predictLinks,
  evaluate,
  compare,
  neighbors,
  project,
  convert,
  generate,
  reproduce,
  bench,
  models,
  demo,
];
