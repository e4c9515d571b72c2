/**
 * Stores expensive results on the disk: one JSON file per cell of a table, named by a hash of everything that determines the
 * cell. A stored cell is not computed again, so an interrupted table continues where it stopped.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeAtomically } from "../../io/atomic-write.js";
import { explainWriteError } from "../../io/system-faults.js";

export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };

/** Everything that determines a cell. Undefined fields are ignored. */
export type CellKey = { readonly [name: string]: Json };

/** Version of the stored values; increased when a value changes its meaning. */
const CELL_FORMAT = 1;
/** Hexadecimal digits of a file name: 96 bits. */
const HASH_DIGITS = 24;

export class CellStore {
  readonly #folder: string;

  constructor(out: string) {
    this.#folder = join(out, "cells");
  }

  /** The value of a stored cell; undefined if there is none, or if its file is damaged or belongs to another cell. */
  async read<T>(key: CellKey): Promise<T | undefined> {
    const text = await readFile(this.#path(key), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
      throw explainWriteError(error, this.#folder);
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
      throw explainWriteError(error, this.#folder);
    });
    const cell = { key: withFormat(key), created: new Date().toISOString(), value };
    try {
      await writeAtomically(this.#path(key), `${JSON.stringify(cell, null, 1)}\n`);
    } catch (error) {
      if (created !== undefined) await this.#removeEmpty(created);
      throw explainWriteError(error, this.#folder);
    }
  }

  /** Removes the folder of the cells and, if this process made it, its parent folder. */
  async #removeEmpty(created: string): Promise<void> {
    await rmdir(this.#folder).catch(() => {});
    if (resolve(created) !== resolve(this.#folder)) await rmdir(dirname(this.#folder)).catch(() => {});
  }

  #path(key: CellKey): string {
    return join(this.#folder, `${cellHash(key)}.json`);
  }
}

/** Equal keys have equal hashes, whatever the order of their fields. */
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
