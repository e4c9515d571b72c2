/** Runtime validation for untyped callers. */

import { InputError, suggest } from "./errors.js";
import { quoteValue } from "./text.js";

/** The keys of T. The compiler reports a missing or unknown key. */
export type KeysOf<T> = Readonly<Record<keyof Required<T>, true>>;

/** Throws unless this is an object without other keys. */
export function requireKeys<T extends object>(options: T, known: KeysOf<T>, where: string): void {
  if (typeof options !== "object" || options === null) {
    throw new InputError(`${where}: found ${valueText(options)}; expected an object.`);
  }
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  throw new InputError(`${where}: unknown option "${unknown}"${suggest(unknown, Object.keys(known))}`);
}

/** Throws unless this is a whole number of at least `min`. */
export function requireCount(value: number, name: string, min = 1): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw new InputError(`${name} is ${valueText(value)}; expected a whole number from ${min}.`);
}

/** Throws unless both lists have the same length, which is not zero. */
export function requireSameLength(truth: ArrayLike<unknown>, other: ArrayLike<unknown>, name: string): void {
  if (truth.length === 0) throw new InputError("truth: empty; expected an entry for each node.");
  if (other.length === truth.length) return;
  throw new InputError(`${name}: ${other.length} entries; expected ${truth.length}, as many as the truth has.`);
}

/** Throws unless this is one of the words. */
export function requireWord<W extends string>(value: W, words: readonly W[], name: string): void {
  if (words.includes(value)) return;
  throw new InputError(
    `${name} is ${valueText(value)}${typeof value === "string" ? suggest(value, words) : `; expected one of ${words.join(", ")}.`}`,
  );
}

/**
 * The part of an `AbortSignal` that the library reads. It is described here because the types of browsers and of Node, which declare
 * `AbortSignal`, may be missing in a program that uses the library.
 */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

/** Throws unless this has the methods of an AbortSignal. It may come from another page or be another implementation. */
export function requireSignal(signal: StopSignal | undefined, name: string): void {
  if (signal === undefined || (typeof signal?.aborted === "boolean" && typeof signal.throwIfAborted === "function"))
    return;
  throw new InputError(`${name} is ${valueText(signal)}; expected an AbortSignal, as of controller.signal.`);
}

/** Throws if a callback that is not awaited returned a promise: a rejection would end the process. */
export function requireNoPromise(result: unknown, name: string): void {
  if (!(result instanceof Promise)) return;
  result.catch(() => {});
  throw new InputError(
    `${name}: it returned a promise, which is not waited for here; expected a function without async.`,
  );
}

/** A value as shown in messages. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return quoteValue(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : "an object";
}
