/**
 * The three kinds of failure. Messages follow one form: where, what was found, what was expected, what to do.
 * The command line prints the message of the first two as one line and exits 2; the third exits 1.
 */

import { cutText } from "./text.js";

/** The user's data or options are at fault. */
export class InputError extends Error {
  override name = "InputError";

  constructor(message: string) {
    super(shortened(message));
  }
}

/** Words this long are data, such as a file without line breaks, not words or paths. */
const LONG_RUN = /\S{1000,}/g;
const MAX_MESSAGE = 4000;

/** Cuts long values that were put into a message uncut. */
function shortened(message: string): string {
  return cutText(
    message.replace(LONG_RUN, (run) => cutText(run, 100)),
    MAX_MESSAGE,
  );
}

/** The request is valid, but this engine or platform cannot serve it. The message names one that can. */
export class UnsupportedError extends Error {
  override name = "UnsupportedError";
  /** What cannot be served, without the advice that follows it in the message. */
  readonly reason: string;

  constructor(reason: string, advice?: string) {
    super(advice === undefined ? reason : `${reason}; ${advice}`);
    this.reason = reason;
  }
}

/** A bug of this program. */
export class InternalError extends Error {
  override name = "InternalError";
}

/** Whether an error is shown to the user as one line without a stack. */
export function isUserError(error: unknown): error is InputError | UnsupportedError {
  return error instanceof InputError || error instanceof UnsupportedError;
}

/** The candidate nearest to `word` by edit distance, if it is near enough for a typing error. */
export function nearestName(
  word: string,
  candidates: readonly string[],
  maxDistance = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  let best: string | undefined;
  let bestDistance = maxDistance + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

/** `; did you mean "x"?` for the nearest candidate, or the list of accepted words if none is near. */
export function suggest(word: string, candidates: readonly string[]): string {
  const nearest = nearestName(word, candidates);
  return nearest === undefined ? `; expected one of ${candidates.join(", ")}` : `; did you mean "${nearest}"?`;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let earlier: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substitution, previous[j] + 1, current[j - 1] + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) current[j] = Math.min(current[j], earlier[j - 2] + 1);
    }
    earlier = previous;
    previous = current;
  }
  return previous[b.length];
}
