/**
 * Memory that several processes of one machine see: a file that has lost its name when data comes into it. The system frees it when
 * the last process unmaps it or ends, also after a crash.
 */

import { randomUUID } from "node:crypto";
import { constants, openSync, readdirSync, readSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../core/errors.js";
import { nextTurn } from "../core/event-loop.js";
import { collectGarbage, MIN_COLLECTED } from "../core/node/collect-garbage.js";
import { loadKoffi, type NativeLibrary } from "./mpi-library.js";

/** Folders for such files, best first. Files in /dev/shm are memory; those in other folders are on a disk and cached in memory. */
export function memoryFolders(): string[] {
  return [...(process.platform === "linux" ? ["/dev/shm"] : []), tmpdir()];
}

/** Names that must not outlive this process. */
const names = new Set<string>();
let listens = false;

/** Creates an empty file under a new name, and returns both; `forgetName` removes the name. */
export function createNamed(folder: string): { readonly path: string; readonly descriptor: number } {
  // first, because another handler may end the process
  if (!listens) process.prependListener("exit", () => names.forEach(forgetName));
  listens = true;
  removeLeftovers(folder);
  const path = join(folder, `hmge-${process.pid}-${randomUUID()}`);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  names.add(path);
  return { path, descriptor };
}

/** Age from which an empty file is a leftover, in milliseconds; a name is needed for a few exchanges only. Not tuned. */
const LEFTOVER_MILLISECONDS = 60_000;

/**
 * Removes empty files of processes that were killed before they could remove the name: mpirun kills a rank that waits for another
 * one which has ended. The age protects files of processes in other containers, which are not visible here.
 */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^hmge-(\d+)-[\da-f-]{36}$/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(folder, name);
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.size !== 0 || Date.now() - status.mtimeMs < LEFTOVER_MILLISECONDS) continue;
    try {
      rmSync(path, { force: true });
    } catch {
      // it belongs to another user
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

export function forgetName(path: string): void {
  names.delete(path);
  rmSync(path, { force: true });
}

export function openNamed(path: string): number {
  return openSync(path, constants.O_RDWR);
}

/** Bytes that a folder has room for. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Bytes of one call of write: the system writes less than 2 GiB at once. */
const MAX_WRITE = 2 ** 30;

export function writeBytes(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, Math.min(MAX_WRITE, bytes.length - at), position + at);
  }
}

export function readBytes(descriptor: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const numRead = readSync(descriptor, bytes, at, Math.min(MAX_WRITE, length - at), position + at);
    if (numRead === 0)
      throw new InputError(`shared memory: it ends at byte ${position + at}; expected ${length} more.`);
    at += numRead;
  }
  return bytes;
}

const PROT_READ_WRITE = 3;
/** A write changes a copy of the page that only this process sees, so that no process can change the data of the others. */
const MAP_PRIVATE = 2;
/** No memory is set aside for such copies. The value is Linux's; macOS does not need it. */
const MAP_NORESERVE = process.platform === "linux" ? 0x4000 : 0;
const MAP_FAILED = 2n ** 64n - 1n;

interface SystemCalls {
  map(descriptor: number, length: number): bigint;
  unmap(address: bigint, length: number): void;
  view(address: bigint, length: number): ArrayBuffer;
}

let calls: SystemCalls | undefined;

async function loadCalls(): Promise<SystemCalls> {
  const koffi = await loadKoffi();
  const library: NativeLibrary = koffi.load(null, { global: false });
  const mmap = library.func("mmap", "uintptr_t", ["void*", "size_t", "int", "int", "int", "int64_t"]);
  const munmap = library.func("munmap", "int", ["uintptr_t", "size_t"]);
  return {
    map: (descriptor, length) =>
      BigInt(mmap(null, length, PROT_READ_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0)),
    unmap: (address, length) => {
      munmap(address, length);
    },
    view: (address, length) => koffi.view(address, length),
  };
}

interface Mapping {
  readonly address: bigint;
  readonly length: number;
  numViews: number;
}

let mappedBytes = 0;

/** Unmaps memory whose arrays nobody uses any more, if much is mapped and `wanted` more bytes are not few. */
export async function freeUnused(wanted: number): Promise<void> {
  if (mappedBytes < MIN_COLLECTED || wanted < MIN_COLLECTED / 8) return;
  collectGarbage();
  await nextTurn(); // `unused` is called then
}

/** Unmaps memory when no array uses it any more. */
const unused = new FinalizationRegistry<Mapping>((mapping) => {
  mapping.numViews--;
  if (mapping.numViews === 0) unmap(mapping);
});

function unmap({ address, length }: Mapping): void {
  calls?.unmap(address, length);
  mappedBytes -= length;
}

/** Maps the first `length` bytes of a file and calls `use` with a function that returns parts of them, without copies. */
export async function withMapping<T>(
  descriptor: number,
  length: number,
  use: (read: (offset: number, numBytes: number) => ArrayBuffer) => T,
): Promise<T> {
  if (length === 0) return use(() => new ArrayBuffer(0));
  calls ??= await loadCalls();
  const { map, view } = calls;
  const address = map(descriptor, length);
  if (address === MAP_FAILED) {
    throw new InputError(`shared memory: ${length} bytes cannot be mapped. Free some memory, or use fewer ranks.`);
  }
  // one more while `use` runs
  const mapping: Mapping = { address, length, numViews: 1 };
  mappedBytes += length;
  try {
    return use((offset, numBytes) => {
      const buffer = view(address + BigInt(offset), numBytes);
      mapping.numViews++;
      unused.register(buffer, mapping);
      return buffer;
    });
  } finally {
    mapping.numViews--;
    if (mapping.numViews === 0) unmap(mapping);
  }
}
