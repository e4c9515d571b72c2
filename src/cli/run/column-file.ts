/** Columns of numbers, one per node, in a temporary file: they are written and read in pieces, so they need no memory. */

import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { InternalError } from "../../core/errors.js";
import type { ColumnStore } from "../../tasks/links/packed-decoder.js";

const BYTES_PER_NUMBER = 4;

/** Calls `work` with a store of columns of `numNodes` numbers; the file is removed afterwards. */
export async function withColumnFile<T>(
  path: string,
  numNodes: number,
  work: (store: ColumnStore) => Promise<T>,
): Promise<T> {
  const file = openSync(path, "w+");
  const placeOf = (column: number, node: number) => BYTES_PER_NUMBER * (column * numNodes + node);
  const store: ColumnStore = {
    write(column, first, values) {
      const bytes = bytesOf(values);
      const start = placeOf(column, first);
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, start + done);
      }
    },
    read(column, first, end) {
      const values = new Float32Array(end - first);
      const bytes = bytesOf(values);
      const start = placeOf(column, first);
      for (let done = 0; done < bytes.length; ) {
        const count = readSync(file, bytes, done, bytes.length - done, start + done);
        if (count === 0) throw new InternalError(`column ${column}: node ${first} to ${end} were not written`);
        done += count;
      }
      return values;
    },
  };
  try {
    return await work(store);
  } finally {
    ftruncateSync(file);
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
