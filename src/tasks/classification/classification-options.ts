/** Options of node classification: their types, their schema for commands, and their checks. */

import { InputError } from "../../core/errors.js";
import { choice, flag, int, number, type OptionSpec, requireOption } from "../../core/options.js";
import { type KeysOf, requireKeys } from "../../core/validation.js";
import type { ShareOptions } from "../labels/node-split.js";
import { PREFIXES } from "./choose-probe.js";
import type { Protocol } from "./fit-and-score.js";
import type { RowKind } from "./standardize.js";

const SCALINGS = ["validate", "raw", "standardised"] as const;
const PROTOCOLS: readonly Protocol[] = ["logistic", "paper"];

/** Options of `classifyNodes`. */
export interface ClassificationOptions {
  /**
   * Shares of a random split, drawn anew for every repeat, or a fixed split: the part (train, val, test) of each node.
   * `{ given: parts }` is accepted for `parts` and deprecated.
   */
  readonly split: ShareOptions | ReadonlyMap<string, string> | { readonly given: ReadonlyMap<string, string> };
  /** Default logistic. */
  readonly protocol?: Protocol;
  /** C of the logistic regression, or "validate" to choose it on validation nodes; default 1. */
  readonly strength?: number | "validate";
  /**
   * If this or `prefix` is given, the result has `byValidation`: for each split, validation chooses raw or standardised
   * vectors ("validate", the default), the number of leading columns and C together; a number as `strength` fixes C.
   */
  readonly scaling?: RowKind | "validate";
  /** Number of leading columns of the vectors that `byValidation` uses, or "validate" for 8, 16, 32 or all; default "all". */
  readonly prefix?: number | "all" | "validate";
  /** Default 10, for the paper's protocol 50. With a fixed split the logistic protocol runs once: nothing is random. */
  readonly repeats?: number;
  /** Default 1. */
  readonly seed?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Default number of repeats, by protocol. */
export const REPEATS = { logistic: 10, paper: 50 } as const;
/** Default share of validation nodes of the paper's probe in a random split. */
export const PAPER_VALIDATION = 0.1;

const prefixCount = int(undefined, { min: 1, doc: "" });
const prefixOption: OptionSpec<number | "all" | "validate"> = {
  default: "all",
  value: "N",
  doc: `number of leading columns of the vectors, or all; validate: the best of ${PREFIXES.join(", ")} and all in each split`,
  accepts: `${prefixCount.accepts}, all or validate`,
  read: (input) => (input === "all" || input === "validate" ? input : prefixCount.read(input)),
};

/** Option schema for commands and library callers; it includes the shares of a random split. */
export const CLASSIFICATION_OPTIONS = {
  train: number(0.1, { above: 0, below: 1, value: "SHARE", doc: "share of labelled nodes that train the probe" }),
  validation: number(undefined, {
    above: 0,
    below: 1,
    value: "SHARE",
    doc: "share of the labelled nodes that are used for validation",
    defaultText: `0; ${PAPER_VALIDATION} with the paper's protocol`,
  }),
  stratify: flag(false, {
    doc: "keep the proportions of the classes in every part; a class of two or more nodes has at least one training node",
  }),
  protocol: choice("logistic", PROTOCOLS, {
    value: "NAME",
    doc: "logistic: L2-regularised logistic regression, trained to convergence; paper: linear layer, 100 epochs of Adam, the epoch with the best validation score",
  }),
  scaling: choice("validate", SCALINGS, {
    value: "KIND",
    doc: "vectors of the probe that validation chooses: raw, standardised, or validate for the better kind of each split",
  }),
  prefix: prefixOption,
  repeats: int(undefined, {
    min: 1,
    doc: "number of random splits or, with a fixed split, of random initialisations of the paper's probe",
    defaultText: `${REPEATS.logistic}; ${REPEATS.paper} with the paper's protocol`,
  }),
  seed: int(1, { min: 0, doc: "seed of the random splits and initialisations" }),
};

/** Default C of the logistic regression. */
export const DEFAULT_STRENGTH = 1;

const OPTIONS: KeysOf<ClassificationOptions> = {
  split: true,
  protocol: true,
  strength: true,
  scaling: true,
  prefix: true,
  repeats: true,
  seed: true,
  onProgress: true,
};
const SHARES: KeysOf<ShareOptions> = { train: true, validation: true, stratify: true };

/** Runtime validation for untyped callers. */
export function requireOptions(options: Partial<ClassificationOptions> = {}): void {
  const { split, protocol = "logistic", strength = 1, scaling = "validate", prefix = "all", repeats = 1 } = options;
  if (typeof split !== "object" || split === null) {
    throw new InputError(
      "classify: the split is missing; expected shares, such as { train: 0.1 }, or a Map with the part of each node.",
    );
  }
  if (strength !== "validate" && !(Number.isFinite(strength) && strength > 0)) {
    throw new InputError(`classify: strength is ${strength}; expected a number above 0, or "validate".`);
  }
  requireKeys(options, OPTIONS, "classify");
  if (!isFixed(split)) requireKeys(split, SHARES, "classify: split");
  requireOption(CLASSIFICATION_OPTIONS.protocol, protocol, "classify: protocol");
  requireOption(CLASSIFICATION_OPTIONS.scaling, scaling, "classify: scaling");
  requireOption(CLASSIFICATION_OPTIONS.prefix, prefix, "classify: prefix");
  if (protocol === "paper" && (options.scaling !== undefined || options.prefix !== undefined)) {
    throw new InputError("classify: scaling and prefix do not apply to the paper's protocol. Remove them.");
  }
  requireOption(CLASSIFICATION_OPTIONS.repeats, repeats, "classify: repeats");
}

type FixedSplit = Exclude<ClassificationOptions["split"], ShareOptions>;

export function isFixed(split: ClassificationOptions["split"]): split is FixedSplit {
  return split instanceof Map || "given" in split;
}

export function countRepeats({ split, repeats }: ClassificationOptions, protocol: Protocol): number {
  return isFixed(split) && protocol === "logistic" ? 1 : (repeats ?? REPEATS[protocol]);
}
