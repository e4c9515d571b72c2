/** The commands, in the order of the help. */

import { bench } from "./bench/bench.js";
import type { Command } from "./command.js";
import { compare } from "./compare/compare.js";
import { convert } from "./convert/convert.js";
import { demo } from "./demo/demo.js";
import { embed } from "./embed/embed.js";
import { evaluate } from "./evaluate/evaluate.js";
import { generate } from "./generate/generate.js";
import { inspect } from "./inspect/inspect.js";
import { models } from "./models.js";
import { neighbors } from "./neighbors/neighbors.js";
import { predict } from "./predict/predict.js";
import { predictLinks } from "./predict/predict-links.js";
import { project } from "./project/project.js";
import { reproduce } from "./reproduce/reproduce.js";

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
