/**
 * How ranks share the work before a training: results have one copy in the memory of each machine.
 *
 * Each machine has a file in memory (memory-file.ts) for the results of a call. Every rank writes its own result into the file of its
 * machine; the first rank of a machine also receives the results of other machines and writes them. Then all ranks of the machine map
 * the file. If `make` throws on a rank, the error is sent to all ranks, and each of them throws it.
 */

import { closeSync } from "node:fs";
import { InputError } from "../core/errors.js";
import type { Sharing } from "../core/sharing.js";
import type { Ranks } from "../engine/ranks.js";
import { gatherTexts } from "./agreement.js";
import { findMachines } from "./machines.js";
import {
  createNamed,
  forgetName,
  freeBytes,
  freeUnused,
  memoryFolders,
  openNamed,
  readBytes,
  withMapping,
  writeBytes,
} from "./memory-file.js";
import { ALIGNMENT, type PackedValue, packValue, unpackValue } from "./packed-value.js";
import { faultOf, inRank, type SentError, sendable, throwFirst } from "./rank-errors.js";

/** Bytes that a rank receives from other machines at once. Not tuned. */
const MESSAGE_BYTES = 2 ** 26;
const WORD_BYTES = 4;

type SharingRanks = Ranks & { idleBarrier?(): Promise<void> };

export interface SharingSettings {
  /** Folders for the files, best first. */
  readonly folders?: readonly string[];
  /** For each rank the first rank of its machine. */
  readonly machines?: readonly number[];
  readonly messageBytes?: number;
}

/** What all ranks must know of the result of a rank. */
interface ResultHead {
  readonly numBytes: number;
  readonly structureAt: number;
  readonly error?: SentError;
}

/** A result in the file of a machine. */
interface StoredResult extends ResultHead {
  readonly rank: number;
  /** Where its bytes begin in the file. */
  readonly start: number;
}

export class RankSharing implements Sharing {
  readonly size: number;
  readonly #ranks: SharingRanks;
  readonly #folders: readonly string[];
  /** For each rank the first rank of its machine. */
  readonly #machines: readonly number[];
  readonly #messageBytes: number;
  /** The first rank of this rank's machine. */
  readonly #first: number;

  /** All ranks call it. */
  constructor(ranks: SharingRanks, settings: SharingSettings = {}) {
    this.size = ranks.size;
    this.#ranks = ranks;
    this.#folders = settings.folders ?? memoryFolders();
    this.#machines = settings.machines ?? findMachines(ranks);
    this.#messageBytes = settings.messageBytes ?? MESSAGE_BYTES;
    this.#first = this.#machines[ranks.rank];
  }

  async once<T>(make: () => T | Promise<T>): Promise<T> {
    if (this.#machines.filter((first) => first === this.#first).length > 1) {
      return (await this.#share(this.#isFirst ? make : undefined, "own machine"))[0];
    }
    // no other rank of this machine needs the value
    const made: T[] = [];
    await this.#share(async () => {
      made.push(await make());
    }, "none");
    return made[0];
  }

  async byRows<T>(numRows: number, make: (begin: number, end: number) => T | Promise<T>): Promise<readonly T[]> {
    const { rank, size } = this.#ranks;
    const start = (r: number) => Math.floor((numRows * r) / size);
    return this.#share(() => make(start(rank), start(rank + 1)), "all machines");
  }

  get #isFirst(): boolean {
    return this.#first === this.#ranks.rank;
  }

  /**
   * Calls `make`, if this rank has one, and returns the results that its machine stores: the result of its first rank, those of all
   * ranks, or none. Machines may differ only in whether they store none.
   */
  async #share<T>(
    make: (() => T | Promise<T>) | undefined,
    scope: "own machine" | "all machines" | "none",
  ): Promise<T[]> {
    const own = await attempt(make);
    await this.#ranks.idleBarrier?.();
    const { numBytes = 0, structureAt = 0 } = own.packed ?? {};
    const heads = this.#gather<ResultHead>({ numBytes, structureAt, error: own.sent });
    throwFirst(heads, own.error);
    const stored: StoredResult[] = [];
    let fileBytes = 0;
    heads.forEach((head, rank) => {
      if (scope === "none" || (scope === "own machine" && rank !== this.#first)) return;
      stored.push({ ...head, rank, start: fileBytes });
      fileBytes += ALIGNMENT * Math.ceil(head.numBytes / ALIGNMENT);
    });
    await freeUnused(fileBytes);
    const descriptor = this.#store(own.packed, heads, stored, fileBytes, scope === "all machines");
    try {
      return await withMapping(descriptor, fileBytes, (read) =>
        stored.map(({ rank, start, structureAt, numBytes }) => {
          const structure = readBytes(descriptor, start + structureAt, numBytes - structureAt);
          const lists = rank === this.#ranks.rank ? own.packed?.lists : undefined;
          return unpackValue(structure, (offset, length) => read(start + offset, length), lists) as T;
        }),
      );
    } finally {
      closeSync(descriptor);
    }
  }

  /** Writes the results into a file in the first folder that takes them on all machines; returns its descriptor. */
  #store(
    packed: PackedValue | undefined,
    heads: readonly ResultHead[],
    stored: readonly StoredResult[],
    fileBytes: number,
    crosses: boolean,
  ): number {
    const failures: string[] = [];
    for (const folder of this.#folders) {
      const { descriptor, faults } = this.#open(folder, fileBytes);
      if (faults.length === 0) {
        let fault = faultOf(() => {
          const place = stored.find(({ rank }) => rank === this.#ranks.rank);
          if (place === undefined || packed === undefined) return;
          for (const { offset, bytes } of packed.pieces) writeBytes(descriptor, bytes, place.start + offset);
        });
        const write = (bytes: Uint8Array, position: number) => {
          fault ??= faultOf(() => writeBytes(descriptor, bytes, position));
        };
        if (crosses) this.#exchange(packed, heads, stored, write);
        for (const found of this.#gatherFaults(fault)) faults.push(found);
        if (faults.length === 0) return descriptor;
      }
      if (descriptor >= 0) closeSync(descriptor);
      failures.push(`${folder}: ${faults[0]}`);
    }
    throw new InputError(
      `ranks: ${megabytes(fileBytes)} that the ranks of a machine share find no place (${failures.join("; ")}). Free some space, or set TMPDIR to a folder with more.`,
    );
  }

  /** Creates a file on each machine. It has lost its name when all ranks of the machine have opened it. */
  #open(folder: string, fileBytes: number): { readonly descriptor: number; readonly faults: string[] } {
    let descriptor = -1;
    let path = "";
    const fault = faultOf(() => {
      if (!this.#isFirst) return;
      const free = freeBytes(folder);
      if (free < fileBytes) throw new Error(`there are ${megabytes(free)}`);
      ({ path, descriptor } = createNamed(folder));
    });
    const paths = this.#gather({ path });
    let faults = this.#gatherFaults(fault);
    if (faults.length === 0) {
      faults = this.#gatherFaults(
        faultOf(() => {
          if (!this.#isFirst) descriptor = openNamed(paths[this.#first].path);
        }),
      );
    }
    if (path !== "") forgetName(path);
    return { descriptor, faults };
  }

  /** Sends the result of each rank to the first ranks of the other machines, which `write` it. */
  #exchange(
    packed: PackedValue | undefined,
    heads: readonly ResultHead[],
    stored: readonly StoredResult[],
    write: (bytes: Uint8Array, position: number) => void,
  ): void {
    const { rank, size } = this.#ranks;
    if (new Set(this.#machines).size === 1) return;
    const part = WORD_BYTES * Math.max(1, Math.floor(this.#messageBytes / size / WORD_BYTES));
    const largest = heads.reduce((max, { numBytes }) => Math.max(max, numBytes), 0);
    const numbers = (make: (r: number) => number) => Array.from({ length: size }, (_, r) => make(r));
    const isFirst = (r: number) => this.#machines[r] === r;
    const crosses = (from: number, to: number) => isFirst(to) && this.#machines[from] !== to;
    for (let begin = 0; begin < largest; begin += part) {
      const lengths = heads.map(({ numBytes }) => Math.max(0, Math.min(part, numBytes - begin)));
      const words = lengths.map((length) => Math.ceil(length / WORD_BYTES));
      const sent = new Uint32Array(words[rank]);
      if (packed !== undefined) copyBytes(packed, begin, new Uint8Array(sent.buffer, 0, lengths[rank]));
      const counts = numbers((from) => (crosses(from, rank) ? words[from] : 0));
      const displacements = numbers((r) => counts.slice(0, r).reduce((sum, count) => sum + count, 0));
      const received = new Uint32Array(displacements[size - 1] + counts[size - 1]);
      this.#ranks.allToAll(
        {
          data: sent,
          counts: numbers((to) => (crosses(rank, to) ? words[rank] : 0)),
          displacements: numbers(() => 0), // all receive the same
        },
        { data: received, counts, displacements },
      );
      for (const { rank: from, start } of stored) {
        if (counts[from] === 0) continue;
        write(new Uint8Array(received.buffer, WORD_BYTES * displacements[from], lengths[from]), start + begin);
      }
    }
  }

  #gather<T>(value: T): T[] {
    return gatherTexts(this.#ranks, JSON.stringify(value)).map((text): T => JSON.parse(text));
  }

  #gatherFaults(fault: string | undefined): string[] {
    return this.#gather({ fault }).flatMap((own, rank) => (own.fault === undefined ? [] : [inRank(rank, own.fault)]));
  }
}

interface Attempt {
  readonly packed?: PackedValue;
  readonly error?: unknown;
  /** The error, as other ranks receive it. */
  readonly sent?: SentError;
}

async function attempt(make: (() => unknown) | undefined): Promise<Attempt> {
  if (make === undefined) return {};
  try {
    return { packed: packValue(await make()) };
  } catch (error) {
    return { error, sent: sendable(error) };
  }
}

/** Copies the bytes of a value from `begin` on. */
function copyBytes({ pieces }: PackedValue, begin: number, to: Uint8Array): void {
  const end = begin + to.length;
  for (const { offset, bytes } of pieces) {
    const [from, until] = [Math.max(begin, offset), Math.min(end, offset + bytes.length)];
    if (from < until) to.set(bytes.subarray(from - offset, until - offset), from - begin);
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
