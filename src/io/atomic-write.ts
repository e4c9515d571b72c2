/**
 * Writes files completely or not at all: they are written under a temporary name in the same folder, flushed to the disk and
 * renamed. If several files belong together, all are complete before the first is renamed.
 */

import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { explainWriteError } from "./system-faults.js";

/** Content of one file: bytes, text, pieces of either, or a function that writes the file to a path. */
export type FileContent = string | Uint8Array | Pieces | ((path: string) => Promise<void>);

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Characters of text that are collected before they are written; not tuned. */
const WRITE_BUFFER = 1 << 20;

/** Writes one file completely or not at all. */
export async function writeAtomically(path: string, content: FileContent): Promise<void> {
  await writeAllAtomically([{ path, content }]);
}

/** Writes files that belong together. After a failure no temporary file remains. */
export async function writeAllAtomically(files: readonly { path: string; content: FileContent }[]): Promise<void> {
  const pending: { path: string; temporary: string }[] = [];
  let current = "";
  try {
    for (const { path, content } of files) {
      current = path;
      const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
      pending.push({ path, temporary });
      if (typeof content === "function") {
        await writeContent(temporary, ""); // Failures of the system are met here first, with their error codes.
        await content(temporary);
        await syncFile(temporary);
      } else {
        await writeContent(temporary, content);
      }
    }
    for (const { path, temporary } of pending) {
      current = path;
      await rename(temporary, path);
    }
  } catch (error) {
    await Promise.all(pending.map(({ temporary }) => rm(temporary, { force: true }).catch(() => {})));
    throw explainWriteError(error, current);
  }
}

async function writeContent(temporary: string, content: Exclude<FileContent, (path: string) => Promise<void>>) {
  const file = await open(temporary, "wx");
  try {
    if (typeof content === "string" || content instanceof Uint8Array) await file.writeFile(content);
    else await writePieces(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writePieces(file: FileHandle, pieces: Pieces): Promise<void> {
  let text = "";
  for await (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      if (text.length < WRITE_BUFFER) continue;
    }
    if (text !== "") await file.writeFile(text);
    text = "";
    if (typeof piece !== "string") await file.writeFile(piece);
  }
  if (text !== "") await file.writeFile(text);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
