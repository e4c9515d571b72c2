/** The models of `compare --regret`: the own model, and the rivals with fewer seeds, fewer epochs and a time limit. */

import type { ModelVariant } from "../../experiments/cells/train-cell.js";
import { expandModels, readVariants } from "../options/model-variants.js";
import { RIVAL_EPOCHS, RIVAL_SEEDS } from "./compare-options.js";
import type { CompareArguments } from "./compare-protocol.js";

export interface RegretMethod {
  readonly variant: ModelVariant;
  readonly seeds: readonly number[];
  /** Seconds of one training; undefined for the own model. */
  readonly limitSeconds?: number;
}

export interface RegretMethods {
  /** Name of the own model in tables. */
  readonly own: string;
  /** The methods to train, the own model first. */
  readonly methods: readonly RegretMethod[];
}

/** Reads --own, --models and their settings. With --fill, only the models that --models names are trained. */
export async function readMethods({ values, flags }: CompareArguments): Promise<RegretMethods> {
  const { own, ownSeeds, models = ["all"], seeds = RIVAL_SEEDS, limit, set, fill } = values;
  const names = await expandModels([own, ...models.filter((name) => name !== own)]);
  const dim = Object.fromEntries((flags.get("dim") ?? []).map((typed) => ["dim", typed]));
  const epochs = flags.get("epochs")?.at(-1) ?? String(RIVAL_EPOCHS);
  // both calls read all names, because every --set must belong to one of them
  const [ownVariant] = await readVariants(names, { all: dim, single: set });
  const [, ...rivals] = await readVariants(names, { all: { ...dim, epochs }, single: set });
  const trainsOwn = fill === undefined || models.some((name) => name === own || name === "all");
  const methods: RegretMethod[] = [
    ...(trainsOwn ? [{ variant: ownVariant, seeds: ownSeeds }] : []),
    ...rivals.map((variant) => ({ variant, seeds, limitSeconds: limit })),
  ];
  return { own: ownVariant.label, methods: fill === "baselines" ? [] : methods };
}
