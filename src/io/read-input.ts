/** Reads whole files and explains failures to read. */

import { open, stat } from "node:fs/promises";
import { InputError } from "../core/errors.js";
import { emptyFile, NoRowsError } from "../sniff/text-head.js";

/** The bytes of a file. */
export async function readInput(path: string): Promise<Uint8Array> {
  await requireFile(path);
  try {
    const file = await open(path, "r");
    try {
      // A Uint8Array, because slices of a Buffer share memory. In pieces, because Node cannot read 2 GiB at once.
      const bytes = new Uint8Array((await file.stat()).size);
      let read = 0;
      while (read < bytes.length) {
        const { bytesRead } = await file.read(bytes, read, Math.min(PIECE, bytes.length - read), read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return read === bytes.length ? bytes : bytes.slice(0, read);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw cannotRead(error, path);
  }
}

/** Maximum number of bytes per read call; Node's limit is 2 GiB. Not tuned. */
const PIECE = 2 ** 28;

/** Throws unless the path is a file that is not empty; `shown` is its name in messages. */
export async function requireFile(path: string, shown = path): Promise<void> {
  let size: number;
  try {
    const status = await stat(path);
    if (status.isDirectory()) throw new InputError(`${shown}: this is a folder; expected a file.`);
    if (!status.isFile()) {
      throw new InputError(`${shown}: this is a pipe or a device; expected a file. Write the content to a file first.`);
    }
    size = status.size;
  } catch (error) {
    throw cannotRead(error, shown);
  }
  if (size > 0) return;
  if (shown === path) throw emptyFile(shown);
  throw new NoRowsError(`${shown}: no data arrived (0 bytes). Check the command that writes to it.`);
}

/** Turns a failure to read that the user can correct into an InputError; returns other errors unchanged. */
export function cannotRead(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new InputError(`${path}: no such file or folder. Check the path.`);
  }
  if (code === "ENAMETOOLONG") {
    const query = /\bselect\b/i.test(path) ? " Give a query with --sql." : "";
    return new InputError(`${path.slice(0, 40)}…: the name is too long for a file.${query}`);
  }
  if (code === "ELOOP") return new InputError(`${path}: this link leads back to itself; expected a file.`);
  if (code === "EISDIR") return new InputError(`${path}: this is a folder; expected a file.`);
  if (code === "EACCES" || code === "EPERM") return new InputError(`${path}: no permission to read this file.`);
  if (error instanceof RangeError) return new InputError(`${path}: the file is too large to be read into memory.`);
  return error;
}
