import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { withDatabase } from "./duckdb.js";
import { inWords, processFault, spillFault, WriteError } from "./system-faults.js";
import { inputError } from "./test-files.js";

const fault = (code: string) => Object.assign(new Error("system"), { code });

test("failures to write that a user can mend are no bugs", () => {
  for (const [code, words] of [
    ["ELOOP", "leads back to itself"],
    ["EFBIG", "ulimit -f"],
    ["EMFILE", "too many open files"],
    ["EEXIST", "in the way"],
    ["ERR_FS_EISDIR", "this is a folder"],
  ]) {
    const found = inWords(fault(code), "out");
    expect(found).toBeInstanceOf(InputError);
    expect(String(found)).toContain("out: cannot write: ");
    expect(String(found)).toContain(words);
  }
  const duckdb = new Error('IO Error: Could not write file "x": File too large');
  expect(String(inWords(duckdb, "out"))).toContain("ulimit -f");
  const other = new TypeError("x is not a function");
  expect(inWords(other, "out")).toBe(other);
});

test("the name of a temporary file gives way to the one that the user gave", () => {
  const inner = inWords(fault("ENOSPC"), "out/.hmge-staging/embeddings.parquet");
  const outer = inWords(inner, "out");
  expect(outer).toBeInstanceOf(WriteError);
  expect(String(outer)).toBe(
    "InputError: out: cannot write: the disk is full. Free some space or choose another folder.",
  );
});

test("too many open files are a fault of the process, wherever they are met", () => {
  expect(String(processFault(fault("EMFILE")))).toContain("ulimit -n");
  const full = fault("ENOSPC");
  expect(processFault(full)).toBe(full);
});

test("a full spill folder is named as such", async () => {
  const work = withDatabase(async (connection) => {
    await connection.run("SET memory_limit = '50MiB'; SET max_temp_directory_size = '1MiB'; SET threads = 1");
    await connection.run(
      "CREATE TABLE t AS SELECT hash(range)::VARCHAR AS a, hash(range + 1)::VARCHAR AS b FROM range(2000000)",
    );
  });
  expect(await inputError(work)).toContain("set TMPDIR to another");
  expect(spillFault(new Error("Parser Error: syntax error"))).toBeUndefined();
});
