/** Failures of the system, such as a full disk, in words: the user can mend them, so they are no bugs of this program. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../core/errors.js";

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space or choose another folder.",
  EDQUOT: "the disk quota is used up. Free some space or choose another folder.",
  EFBIG:
    "the file is larger than this shell or file system allows. Raise the limit (ulimit -f) or choose another folder.",
  EACCES: "no permission to write here. Choose another folder.",
  EPERM: "no permission to write here. Choose another folder.",
  EROFS: "the file system is read-only. Choose another folder.",
  ENOTDIR: "a part of this path is a file; expected a folder.",
  ENOENT: "the folder does not exist. Create it first.",
  EISDIR: "this is a folder; expected a file name.",
  EEXIST: "a file of this name is in the way; expected a folder. Choose another folder.",
  ENAMETOOLONG: "the name is too long for this file system. Choose a shorter one.",
  ELOOP: "a link on this path leads back to itself. Remove the link or choose another folder.",
  EMFILE: "this process has too many open files. Raise the limit (ulimit -n).",
  ENFILE: "the system has too many open files. Close some programs.",
  EIO: "the disk reports a fault. Choose another folder.",
};

/** DuckDB passes the text of the system on, without its code. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/no space left on device|failed to offload data block/i, "ENOSPC"],
  [/disk quota exceeded/i, "EDQUOT"],
  [/file too large/i, "EFBIG"],
  [/permission denied/i, "EACCES"],
  [/read-only file system/i, "EROFS"],
  [/file name too long/i, "ENAMETOOLONG"],
  [/too many levels of symbolic links/i, "ELOOP"],
  [/too many open files/i, "EMFILE"],
];

/** The code of the system's failure, such as ENOSPC, if the error is one that is known here. */
export function faultCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof InputError) return undefined;
  const code = "code" in error ? String(error.code).replace("ERR_FS_", "") : "";
  if (Object.hasOwn(WORDS, code)) return code;
  return TEXTS.find(([text]) => text.test(error.message))?.[1];
}

/** A file or folder could not be written. */
export class WriteError extends InputError {
  /** Why, and what to do. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path}: cannot write: ${reason}`);
    this.reason = reason;
  }
}

/** A failure to write, as the user's to mend where it is. A path given later replaces an earlier one, such as that of a temporary file. */
export function inWords(error: unknown, path: string): unknown {
  if (error instanceof WriteError) return new WriteError(path, error.reason);
  const code = faultCode(error);
  return code === undefined ? error : new WriteError(path, WORDS[code]);
}

/** Codes that concern the whole process, whatever it was about to open. */
const OF_PROCESS = ["EMFILE", "ENFILE"];

/** A failure that any piece of work may meet, in words. */
export function processFault(error: unknown): unknown {
  const code = faultCode(error);
  return code !== undefined && OF_PROCESS.includes(code) ? new InputError(WORDS[code]) : error;
}

let numSpillFolders = 0;

/** A folder of its own for each database: two that spill into one folder take the process down. */
export function spillFolder(): string {
  return `${spillPrefix()}${numSpillFolders++}`;
}

function spillPrefix(): string {
  return join(tmpdir(), `hmge-${process.pid}-`);
}

/** A failure to write tables that do not fit into memory to the spill folder; undefined for any other failure. */
export function spillFault(error: unknown): InputError | undefined {
  if (!(error instanceof Error) || error instanceof InputError) return undefined;
  const isFull = /failed to offload data block/i.test(error.message);
  if (!isFull && !error.message.includes(spillPrefix())) return undefined;
  const code = faultCode(error) ?? "EACCES";
  const [reason] = WORDS[code].split(". ");
  return new InputError(
    `${tmpdir()}: cannot write: ${reason}. Tables that do not fit into memory are kept in this folder; free some space, or set TMPDIR to another.`,
  );
}
