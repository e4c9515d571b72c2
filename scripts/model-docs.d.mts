/** Types of model-docs.mjs, for tests. */
import type { formatOption } from "../src/core/options.js";
import type { Model } from "../src/nn/model.js";

/** The text of docs/models.md. */
export function documentModels(models: readonly Model[], format: typeof formatOption): string;
