/** The option --strength, of a logistic regression. */

import { InputError } from "../../core/errors.js";
import { type Arguments, type CommandOption, textOption } from "../command.js";

/** C, larger for less regularisation; or chosen on validation nodes. */
export type Strength = number | "validate";

export function strengthOption(otherwise: string): CommandOption {
  return {
    name: "strength",
    value: "C",
    doc: "of the logistic regression, larger for less regularisation; validate: the best of 0.001 … 1000 on validation nodes, or on a fifth of the training nodes",
    default: otherwise,
  };
}

export function readStrength(given: Arguments): Strength | undefined {
  const text = textOption(given, "strength");
  if (text === undefined || text === "validate") return text;
  const strength = text.trim() === "" ? Number.NaN : Number(text);
  if (!(Number.isFinite(strength) && strength > 0)) {
    throw new InputError(`--strength: found "${text}"; expected a number above 0, or validate.`);
  }
  return strength;
}

/** C, for a sentence about the protocol. */
export function strengthText(strength: Strength | undefined): string {
  return strength === "validate" ? "C by validation" : `C = ${strength ?? 1}`;
}
