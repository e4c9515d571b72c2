/**
 * Results that are expensive, kept on the disk: one JSON file per cell of a table, named by a hash of everything that
 * determines it. A cell that is there is read, not computed again; so an interrupted table goes on where it stopped.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeAtomically } from "../../io/atomic-write.js";
import { inWords } from "../../io/system-faults.js";

export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };

/** What determines a cell. Fields that are undefined do not count. */
export type CellKey = { readonly [name: string]: Json };

/** Raised when a stored value changes its meaning. */
const CELL_FORMAT = 1;
const HASH_DIGITS = 24;

export class CellStore {
  readonly #folder: string;

  constructor(out: string) {
    this.#folder = join(out, "cells");
  }

  /** The value of a finished cell, or undefined. A file that is damaged or of another cell counts as none. */
  async read<T>(key: CellKey): Promise<T | undefined> {
    const text = await readFile(this.#path(key), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
      throw inWords(error, this.#folder);
    });
    if (text === undefined) return undefined;
    try {
      const cell = JSON.parse(text) as { readonly key: CellKey; readonly value: T };
      return canonical(cell.key) === canonical(withFormat(key)) ? cell.value : undefined;
    } catch {
      return undefined;
    }
  }

  async write(key: CellKey, value: unknown): Promise<void> {
    const created = await mkdir(this.#folder, { recursive: true }).catch((error: unknown) => {
      throw inWords(error, this.#folder);
    });
    const cell = { key: withFormat(key), created: new Date().toISOString(), value };
    try {
      await writeAtomically(this.#path(key), `${JSON.stringify(cell, null, 1)}\n`);
    } catch (error) {
      if (created !== undefined) await this.#removeEmpty(created);
      throw inWords(error, this.#folder);
    }
  }

  /** The folder of the cells and, where this process made it, the one around it. */
  async #removeEmpty(created: string): Promise<void> {
    await rmdir(this.#folder).catch(() => {});
    if (resolve(created) !== resolve(this.#folder)) await rmdir(dirname(this.#folder)).catch(() => {});
  }

  #path(key: CellKey): string {
    return join(this.#folder, `${cellHash(key)}.json`);
  }
}

/** Equal keys, equal hashes; the order of fields does not count. */
export function cellHash(key: CellKey): string {
  return createHash("sha256")
    .update(canonical(withFormat(key)))
    .digest("hex")
    .slice(0, HASH_DIGITS);
}

function withFormat(key: CellKey): CellKey {
  return { ...key, cellFormat: CELL_FORMAT };
}

/** JSON with the fields of every object in ascending order. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
