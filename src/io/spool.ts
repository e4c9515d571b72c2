/**
 * Copies inputs that can be read only once, standard input (`-`) and pipes, to temporary files. Tables are read several times: their
 * head, their rows, and the line of a fault.
 *
 * Copies are kept until the outermost `withSpool` ends, so a command that reads `-` both as features and as labels copies it
 * once. They are also removed after an error and, by the handlers below, when the process is interrupted or exits.
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
/** Pipes of a shell's process substitution, `<(…)`. */
const NUMBERED_PIPE = /^\/(dev|proc\/(self|\d+))\/fd\/\d+$/;

/** Whether the path is standard input or a numbered pipe, whose name says nothing about its content. */
export function isUnnamed(path: string): boolean {
  return STDIN_PATHS.includes(path) || NUMBERED_PIPE.test(path);
}

/** The name of an input in messages. */
export function inputName(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/** The name of an input in run records. Numbers of pipes are left out, because they differ between runs of the same command. */
export function recordedName(path: string): string {
  if (STDIN_PATHS.includes(path)) return "standard input";
  return isUnnamed(path) ? "a pipe" : path;
}

let openScopes = 0;
let folder: string | undefined;
const copies = new Map<string, Promise<string>>();
let numCopies = 0;

/** Runs `work`. Copies of inputs are removed when the outermost call ends. */
export async function withSpool<T>(work: () => Promise<T>): Promise<T> {
  openScopes++;
  try {
    return await work();
  } finally {
    openScopes--;
    if (openScopes === 0) removeCopies();
  }
}

/** The file to read for an input: the input, or a copy of it if it is a pipe. */
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

/** Copies the first bytes of a file; returns the path of the copy. */
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
      `${shown}: no space for a copy of it in ${tmpdir()}, the folder of temporary files. Set TMPDIR to a folder with more space, or give a file.`,
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

/** Removes the copies and ends the process with the signal, unless another handler of the signal ends the work. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeCopies();
  process.kill(process.pid, signal);
}
