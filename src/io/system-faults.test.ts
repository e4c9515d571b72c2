import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { withDatabase } from "./duckdb.js";
import { explainProcessError, explainWriteError, spillFault, WriteError } from "./system-faults.js";
import { inputError } from "./test-files.js";

const fault = (code: string) => Object.assign(new Error("system"), { code });

test("failures to write that the user can correct become input errors", () => {
  for (const [code, words] of [
    ["ELOOP", "leads back to itself"],
    ["EFBIG", "ulimit -f"],
    ["EMFILE", "too many open files"],
    ["EEXIST", "in the way"],
    ["ERR_FS_EISDIR", "this is a folder"],
  ]) {
    const found = explainWriteError(fault(code), "out");
    expect(found).toBeInstanceOf(InputError);
    expect(String(found)).toContain("out: cannot write: ");
    expect(String(found)).toContain(words);
  }
  const duckdb = new Error('IO Error: Could not write file "x": File too large');
  expect(String(explainWriteError(duckdb, "out"))).toContain("ulimit -f");
  const other = new TypeError("x is not a function");
  expect(explainWriteError(other, "out")).toBe(other);
});

test("messages name the path of the user instead of a temporary file", () => {
  const inner = explainWriteError(fault("ENOSPC"), "out/.hmge-staging/embeddings.parquet");
  const outer = explainWriteError(inner, "out");
  expect(outer).toBeInstanceOf(WriteError);
  expect(String(outer)).toBe(
    "InputError: out: cannot write: the disk is full. Free some space or choose another folder.",
  );
});

test("too many open files are reported without a path", () => {
  expect(String(explainProcessError(fault("EMFILE")))).toContain("ulimit -n");
  const full = fault("ENOSPC");
  expect(explainProcessError(full)).toBe(full);
});

test("a full spill folder is reported", async () => {
  const work = withDatabase(async (connection) => {
    await connection.run("SET memory_limit = '50MiB'; SET max_temp_directory_size = '1MiB'; SET threads = 1");
    await connection.run(
      "CREATE TABLE t AS SELECT hash(range)::VARCHAR AS a, hash(range + 1)::VARCHAR AS b FROM range(2000000)",
    );
  });
  expect(await inputError(work)).toContain("set TMPDIR to another");
  expect(spillFault(new Error("Parser Error: syntax error"))).toBeUndefined();
});
