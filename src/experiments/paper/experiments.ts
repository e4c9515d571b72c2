/** The experiments, in the order of the page. */

import { ablation } from "./ablation.js";
import { classification } from "./classification.js";
import type { Experiment } from "./experiment.js";
import { layers } from "./layers.js";
import { links } from "./links.js";
import { size } from "./size.js";
import { synthetic } from "./synthetic.js";
import { weights } from "./weights.js";

export const experiments: readonly Experiment[] = [synthetic, classification, links, ablation, size, layers, weights];
