/** Option schema of t-SNE. */

import { int, number } from "../../core/options.js";

/** Maximum number of iterations with early exaggeration (van der Maaten 2014). */
export const EXAGGERATED_ITERATIONS = 250;
/** Minimum size of the sample. */
export const MIN_SAMPLE = 1000;

export const TSNE_OPTIONS = {
  perplexity: number(30, {
    min: 1,
    value: "P",
    doc: "t-SNE: effective number of neighbours; reduced to a third of the number of nodes if that is smaller",
  }),
  iterations: int(1000, {
    min: 1,
    doc: `t-SNE: number of steps; the first quarter, at most ${EXAGGERATED_ITERATIONS} steps, uses early exaggeration`,
  }),
  seed: int(1, { min: 0, doc: "t-SNE: seed of the noise that moves equal vectors apart" }),
  // a thousand iterations of this many nodes take some minutes on two cores
  sample: int(100_000, {
    min: MIN_SAMPLE,
    doc: "t-SNE: number of nodes that are mapped; if there are more, a random sample is mapped and each other node is placed near its nearest sampled nodes",
  }),
};
