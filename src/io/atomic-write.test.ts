import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeAllAtomically, writeAtomically } from "./atomic-write.js";
import { explainWriteError } from "./system-faults.js";
import { inputError, temporaryFolder } from "./test-files.js";

const { folder, write } = temporaryFolder();

test("texts, bytes and pieces of both are written and replace the old file", async () => {
  const path = write("file", "old");
  await writeAtomically(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  const long = "x".repeat(3 << 20);
  await writeAtomically(path, ["a", Uint8Array.of(98), "c", long, "é"]);
  expect(readFileSync(path, "utf8")).toBe(`abc${long}é`);
  expect(readdirSync(folder).filter((name) => name.includes("file"))).toEqual(["file"]);
});

test("after a failure the old file is unchanged and no other file remains", async () => {
  const path = write("kept", "old");
  const failing = function* () {
    yield "half";
    throw new Error("stop");
  };
  await expect(writeAtomically(path, failing())).rejects.toThrow("stop");
  await expect(
    writeAllAtomically([
      { path: join(folder, "first"), content: "complete" },
      { path, content: failing() },
    ]),
  ).rejects.toThrow("stop");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(existsSync(join(folder, "first"))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("failures of the system are explained", async () => {
  expect(await inputError(writeAtomically(join(folder, "no/such/file"), "x"))).toContain("the folder does not exist");
  expect(await inputError(writeAtomically(join(write("plain", "x"), "file"), "x"))).toContain(
    "a part of this path is a file",
  );
  mkdirSync(join(folder, "taken"));
  expect(await inputError(writeAtomically(join(folder, "taken"), "x"))).toContain("this is a folder");
  for (const [code, words] of [
    ["ENOSPC", "the disk is full"],
    ["EROFS", "read-only"],
  ]) {
    const error = explainWriteError(Object.assign(new Error("system"), { code }), "out/file");
    expect(String(error)).toContain(`InputError: out/file: cannot write: `);
    expect(String(error)).toContain(words);
  }
  expect(String(explainWriteError(new Error("IO Error: No space left on device"), "p"))).toContain("the disk is full");
});

// Windows keeps permissions elsewhere.
test.skipIf(process.platform === "win32")("a folder without write permission is reported", async () => {
  const locked = join(folder, "locked");
  chmodSync(folder, 0o755);
  mkdirSync(locked);
  chmodSync(locked, 0o555);
  // The superuser may write anywhere, so the test gives up its rights for a moment.
  const isSuperuser = process.getuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65534);
  try {
    expect(await inputError(writeAtomically(join(locked, "file"), "x"))).toContain("no permission to write here");
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
});
