/**
 * Inputs that can be read only once: standard input (`-`) and pipes. Tables are read several times (their head, their rows, the
 * line of a fault), so such an input is copied to a temporary file first.
 *
 * Copies live until the outermost `withSpool` ends: a command that reads `-` both as features and as labels copies it once.
 * They are removed after an error, and by the handlers below when the process is interrupted or exits.
 */

import { createReadStream, createWriteStream, fstatSync, mkdtempSync, rmSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../core/errors.js";
import { cannotRead } from "./read-input.js";
import { faultCode } from "./system-faults.js";

/** The name of standard input on the command line. */
export const STANDARD_INPUT = "-";

const STDIN_PATHS = [STANDARD_INPUT, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
/** Pipes of a shell's process substitution, `<(…)`, whose names say nothing. */
const NUMBERED_PIPE = /^\/(dev|proc\/(self|\d+))\/fd\/\d+$/;

/** Whether the path names no file: its name says nothing about the contents. */
export function isUnnamed(path: string): boolean {
  return STDIN_PATHS.includes(path) || NUMBERED_PIPE.test(path);
}

/** An input as messages and records call it. */
export function inputName(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/** An input as a record names it: two runs of the same command get different numbers for the same pipe. */
export function lastingName(path: string): string {
  if (STDIN_PATHS.includes(path)) return "standard input";
  return isUnnamed(path) ? "a pipe" : path;
}

let openScopes = 0;
let folder: string | undefined;
const copies = new Map<string, Promise<string>>();
let numCopies = 0;

/** Runs `work`; copies made in it are removed when the outermost such call ends. */
export async function withSpool<T>(work: () => Promise<T>): Promise<T> {
  openScopes++;
  try {
    return await work();
  } finally {
    openScopes--;
    if (openScopes === 0) removeCopies();
  }
}

/** The file to read in place of an input: itself, or a copy of what comes through a pipe. */
export async function inputFile(path: string): Promise<string> {
  const status = path === STANDARD_INPUT ? fstatSync(0) : await stat(path).catch(() => undefined);
  if (status === undefined || (path !== STANDARD_INPUT && (status.isFile() || status.isDirectory()))) return path;
  const key = STDIN_PATHS.includes(path) ? STANDARD_INPUT : path;
  const known = copies.get(key);
  if (known !== undefined) return known;
  requirePipe(path, status);
  const copy = copyStream(key === STANDARD_INPUT ? process.stdin : createReadStream(path), inputName(path));
  copies.set(key, copy);
  return copy;
}

/** A copy of the first bytes of a file. */
export async function copyStart(path: string, bytes: number, shown: string): Promise<string> {
  return copyStream(createReadStream(path, { end: bytes - 1 }), shown);
}

function requirePipe(path: string, status: Stats): void {
  const shown = inputName(path);
  if (path === STANDARD_INPUT && process.stdin.isTTY) {
    throw new InputError(`${shown}: this is the terminal; expected a pipe, as in zcat edges.csv.gz | hmge inspect -.`);
  }
  if (status.isFIFO() || status.isSocket() || path === STANDARD_INPUT || basename(path) === "null") return;
  throw new InputError(`${shown}: this is a device; expected a file or a pipe.`);
}

async function copyStream(from: NodeJS.ReadableStream, shown: string): Promise<string> {
  const to = join(spoolFolder(), String(numCopies++));
  try {
    await pipeline(from, createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    if (!["ENOSPC", "EDQUOT"].includes(faultCode(error) ?? "")) throw cannotRead(error, shown);
    throw new InputError(
      `${shown}: no room for a copy of it in ${tmpdir()}, the folder of temporary files. Set TMPDIR to a folder with more room, or give a file.`,
    );
  }
  return to;
}

function spoolFolder(): string {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), "hmge-input-"));
    process.on("exit", removeCopies);
    for (const signal of SIGNALS) process.on(signal, onSignal);
  }
  return folder;
}

function removeCopies(): void {
  if (folder === undefined) return;
  rmSync(folder, { recursive: true, force: true });
  folder = undefined;
  copies.clear();
  process.off("exit", removeCopies);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends the process as the signal would have, unless someone else handles it and ends the work in good order. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeCopies();
  process.kill(process.pid, signal);
}
