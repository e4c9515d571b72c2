/** Explains failures of the system, such as a full disk, which the user can correct. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../core/errors.js";

const EXPLANATIONS: Readonly<Record<string, string>> = {
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

/** Texts of the system's errors and their codes: DuckDB reports the text without the code. */
const CODES_BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [/no space left on device|failed to offload data block/i, "ENOSPC"],
  [/disk quota exceeded/i, "EDQUOT"],
  [/file too large/i, "EFBIG"],
  [/permission denied/i, "EACCES"],
  [/read-only file system/i, "EROFS"],
  [/file name too long/i, "ENAMETOOLONG"],
  [/too many levels of symbolic links/i, "ELOOP"],
  [/too many open files/i, "EMFILE"],
];

/** The code of a system failure, such as ENOSPC; undefined for other errors. */
export function faultCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof InputError) return undefined;
  const code = "code" in error ? String(error.code).replace("ERR_FS_", "") : "";
  if (Object.hasOwn(EXPLANATIONS, code)) return code;
  return CODES_BY_TEXT.find(([text]) => text.test(error.message))?.[1];
}

/** A file or folder could not be written. */
export class WriteError extends InputError {
  /** The reason and the advice, without the path. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path}: cannot write: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Turns a failure to write that the user can correct into a WriteError; returns other errors unchanged. The path of a WriteError is
 * replaced, because an inner call may have named a temporary file.
 */
export function explainWriteError(error: unknown, path: string): unknown {
  if (error instanceof WriteError) return new WriteError(path, error.reason);
  const code = faultCode(error);
  return code === undefined ? error : new WriteError(path, EXPLANATIONS[code]);
}

/** Codes of failures that concern the whole process and not one file. */
const PROCESS_CODES = ["EMFILE", "ENFILE"];

/** Turns a failure of the whole process, too many open files, into an InputError; returns other errors unchanged. */
export function explainProcessError(error: unknown): unknown {
  const code = faultCode(error);
  return code !== undefined && PROCESS_CODES.includes(code) ? new InputError(EXPLANATIONS[code]) : error;
}

let numSpillFolders = 0;

/** A new folder for tables that do not fit into memory. Each database needs its own: two in one folder crash the process. */
export function spillFolder(): string {
  return `${spillPrefix()}${numSpillFolders++}`;
}

function spillPrefix(): string {
  return join(tmpdir(), `hmge-${process.pid}-`);
}

/** Turns a failure to write to the spill folder, which holds tables that do not fit into memory, into an InputError; undefined for other failures. */
export function spillFault(error: unknown): InputError | undefined {
  if (!(error instanceof Error) || error instanceof InputError) return undefined;
  const isFull = /failed to offload data block/i.test(error.message);
  if (!isFull && !error.message.includes(spillPrefix())) return undefined;
  const code = faultCode(error) ?? "EACCES";
  const [reason] = EXPLANATIONS[code].split(". ");
  return new InputError(
    `${tmpdir()}: cannot write: ${reason}. Tables that do not fit into memory are written to this folder; free some space, or set TMPDIR to another folder.`,
  );
}
