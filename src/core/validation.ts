/** Checks of what callers give, who may have no types to tell them. */

import { InputError, suggest } from "./errors.js";
import { quoteValue } from "./text.js";

/** The keys of T, each once: the compiler tells where one is missing or unknown. */
export type KeysOf<T> = Readonly<Record<keyof Required<T>, true>>;

/** Fails unless this is an object that has no other keys. */
export function requireKeys<T extends object>(given: T, known: KeysOf<T>, where: string): void {
  if (typeof given !== "object" || given === null) {
    throw new InputError(`${where}: found ${valueText(given)}; expected an object.`);
  }
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  throw new InputError(`${where}: unknown option "${unknown}"${suggest(unknown, Object.keys(known))}`);
}

/** Fails unless this is a whole number from `min`. */
export function requireCount(value: number, name: string, min = 1): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw new InputError(`${name} is ${valueText(value)}; expected a whole number from ${min}.`);
}

/** Fails unless there is something, and as much of the one as of the other. */
export function requireSameLength(truth: ArrayLike<unknown>, other: ArrayLike<unknown>, name: string): void {
  if (truth.length === 0) throw new InputError("truth: nothing given; expected an entry for each node.");
  if (other.length === truth.length) return;
  throw new InputError(`${name}: ${other.length} entries; expected ${truth.length}, as many as are true.`);
}

/** Fails unless this is one of the words. */
export function requireWord<W extends string>(value: W, words: readonly W[], name: string): void {
  if (words.includes(value)) return;
  throw new InputError(
    `${name} is ${valueText(value)}${typeof value === "string" ? suggest(value, words) : `; expected one of ${words.join(", ")}.`}`,
  );
}

/** Fails unless this is a signal, also one of another page or of another implementation. */
export function requireSignal(signal: AbortSignal | undefined, name: string): void {
  if (signal === undefined || (typeof signal?.aborted === "boolean" && typeof signal.throwIfAborted === "function"))
    return;
  throw new InputError(`${name} is ${valueText(signal)}; expected an AbortSignal, as of controller.signal.`);
}

/** Fails where a callback of work that cannot wait gave a promise: its failure would end the process. */
export function requireNoPromise(given: unknown, name: string): void {
  if (!(given instanceof Promise)) return;
  given.catch(() => {});
  throw new InputError(
    `${name}: it returned a promise, which is not waited for here; expected a function without async.`,
  );
}

/** A value as messages show it. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return quoteValue(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : "an object";
}
