/** Checks single values of a table against the role of their column. */

import { MISSING_TOKENS } from "../core/missing-tokens.js";
import { quoteValue } from "../core/text.js";
import type { Role } from "./column-roles.js";

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Whether a field reads as a number. */
export function isNumeric(text: string): boolean {
  return NUMBER.test(text);
}

/** Whether a field reads as a number with a decimal comma, such as 0,5. */
export function isDecimalComma(text: string): boolean {
  return /^\s*[+-]?\d+,\d+\s*$/.test(text);
}

/** Whether two fields next to each other may be the parts of one number with a decimal comma, such as 0,5. */
export function isDecimalPair(whole = "", fraction = ""): boolean {
  return /^\s*[+-]?\d+$/.test(whole) && /^\d+\s*$/.test(fraction);
}

/** Describes why a value is not accepted for a role; undefined if it is accepted. */
export function valueFault(role: Role, value: string | null | undefined): string | undefined {
  if (role.check === "category" || (role.allowMissing && (!value || MISSING_TOKENS.includes(value.toLowerCase()))))
    return undefined;
  const title = role.title ?? role.name;
  if (value === null || value === undefined || value === "") {
    return `${title} is empty; expected ${role.check === "text" ? "a name" : "a number"}.${role.missingAdvice ?? ""}`;
  }
  if (role.check === "text") {
    return value.includes("\0") ? `${title} ${quoteValue(value)} contains a zero byte; expected text.` : undefined;
  }
  const number = isNumeric(value) ? Math.fround(Number(value)) : Number.NaN;
  if (Number.isFinite(number) && (role.check === "number" || number >= 0)) return undefined;
  if (isNumeric(value) && !Number.isFinite(number)) {
    return `${title} ${quoteValue(value)}; expected a number of a size below 3.4e38.`;
  }
  const expected = role.check === "weight" ? "a finite number that is not negative" : "a finite number";
  const comma = isDecimalComma(value) ? ", with a point instead of the comma" : "";
  const thousands = /^\s*[+-]?\d{1,3}(,\d{3})+\s*$/.test(value)
    ? ", or without the comma if it separates thousands"
    : "";
  const isMissing = MISSING_TOKENS.includes(value.trim().toLowerCase()) || number < 0;
  const advice = (isMissing && role.missingAdvice) || (comma === "" && role.invalidAdvice) || "";
  return `${title} ${quoteValue(value)}; expected ${expected}${comma}${thousands}.${advice}`;
}
