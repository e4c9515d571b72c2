/** Errors of one rank that all ranks report. */

import { InputError, InternalError, UnsupportedError } from "../core/errors.js";

/** An error as text. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

/** The error as other ranks receive it. */
export function sendable(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack };
}

/** Errors that rank 0 sent to this one. */
const ofRankZero = new WeakSet<object>();

/** Whether rank 0 sent this error; every rank prints it as rank 0 does, because only the first line is shown. */
export function isOfRankZero(error: unknown): boolean {
  return typeof error === "object" && error !== null && ofRankZero.has(error);
}

/** Throws this rank's own error; else, if a rank has one, the error of the first such rank. `heads` are in the order of the ranks. */
export function throwFirst(heads: readonly { readonly error?: SentError }[], own: unknown): void {
  const rank = heads.findIndex(({ error }) => error !== undefined);
  const sent = heads[rank]?.error;
  if (sent === undefined) return;
  if (own !== undefined) throw own;
  const classes = { InputError, UnsupportedError, InternalError };
  const Class = Object.entries(classes).find(([name]) => name === sent.name)?.[1] ?? Error;
  const error = new Class(inRank(rank, sent.message));
  error.stack = sent.stack;
  if (rank === 0) ofRankZero.add(error);
  throw error;
}

/** The message with the rank, as the command line prints it. An error that all ranks throw names the rank at fault already. */
export function inRank(rank: number, message: string): string {
  return rank === 0 || /^rank \d+: /.test(message) ? message : `rank ${rank}: ${message}`;
}

/** The message of the error that `work` throws; undefined if it throws none. */
export function faultOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
