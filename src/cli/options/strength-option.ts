/** The option --strength of a logistic regression, and its settings in words. */

import { number, type OptionSpec } from "../../core/options.js";
import { plural } from "../../report/format.js";
import { type ClassificationOptions, DEFAULT_STRENGTH } from "../../tasks/classification/node-classification.js";

/** C, larger for less regularisation; or chosen on validation nodes. */
export type Strength = number | "validate";

export function strengthOption<D extends Strength | undefined>(
  fallback: D,
  defaultText?: string,
): OptionSpec<Strength | D> {
  const doc =
    "C of the logistic regression, where a larger C means less regularisation; validate: the best C of 0.001 … 1000 on the validation nodes or, without those, on a fifth of the training nodes";
  const c = number(undefined, { above: 0, doc });
  return {
    doc,
    value: "C",
    default: fallback,
    defaultText,
    accepts: `${c.accepts}, or validate`,
    read: (input) => (input === "validate" ? input : c.read(input)),
  };
}

/** C, for a sentence about the protocol. */
export function strengthText(strength: Strength = DEFAULT_STRENGTH): string {
  return strength === "validate" ? "C by validation" : `C = ${strength}`;
}

/** The settings of a probe, for a sentence about the protocol: "raw vectors, first 16 columns, C by validation". */
export function settingsText({
  scaling = "validate",
  prefix = "all",
  strength = "validate",
}: Pick<ClassificationOptions, "scaling" | "prefix" | "strength">): string {
  const validated = Object.entries({ scaling, "number of columns": prefix, C: strength }).flatMap(([name, value]) =>
    value === "validate" ? [name] : [],
  );
  const fixed = [
    ...(scaling === "validate" ? [] : [`${scaling} vectors`]),
    ...(typeof prefix === "number" ? [`first ${plural(prefix, "column")}`] : []),
    ...(strength === "validate" ? [] : [strengthText(strength)]),
  ];
  const chosen = validated.join(", ").replace(/, ([^,]*)$/, " and $1");
  return [...fixed, ...(validated.length === 0 ? [] : [`${chosen} by validation`])].join(", ");
}
