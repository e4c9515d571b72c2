/** Temporary files for the tests of this folder. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { InputError } from "../core/errors.js";
import { withDatabase } from "./duckdb.js";

/** A folder that is removed after the tests of the file, and a function that writes files into it. */
export function temporaryFolder(): { folder: string; write: (name: string, content: string | Uint8Array) => string } {
  const folder = mkdtempSync(join(tmpdir(), "hmge-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

/** The message of the InputError with which a promise fails; any other outcome fails the test. */
export async function inputError(promise: Promise<unknown>): Promise<string> {
  let error: unknown;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) throw new Error("expected an InputError, but nothing was thrown");
  if (!(error instanceof InputError)) throw error;
  if (error.message.includes("\n")) throw new Error(`expected one line: ${error.message}`);
  return error.message;
}

/** Writes the result of a query as Parquet. */
export async function writeParquet(path: string, query: string): Promise<string> {
  await withDatabase((connection) => connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`));
  return path;
}
