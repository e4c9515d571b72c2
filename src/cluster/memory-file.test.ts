import { closeSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../io/test-files.js";
import { createNamed, forgetName } from "./memory-file.js";

test("a new file removes old empty files of processes that have ended, and no others", () => {
  const { folder } = temporaryFolder();
  // larger than the largest number of a process on Linux
  const ended = 2 ** 30;
  const name = (pid: number, digit: string) => `hmge-${pid}-${digit.repeat(8)}-0000-0000-0000-${"0".repeat(12)}`;
  const make = (file: string, content: string, minutes: number) => {
    const path = join(folder, file);
    writeFileSync(path, content);
    const time = new Date(Date.now() - 60_000 * minutes);
    utimesSync(path, time, time);
  };
  make(name(ended, "a"), "", 2);
  const kept = [name(ended, "b"), name(ended, "c"), name(process.pid, "d"), "hmge-notes.txt"];
  make(kept[0], "", 0);
  make(kept[1], "data", 2);
  make(kept[2], "", 2);
  make(kept[3], "", 2);
  const { path, descriptor } = createNamed(folder);
  expect(readdirSync(folder).sort()).toEqual([...kept, basename(path)].sort());
  forgetName(path);
  closeSync(descriptor);
  expect(readdirSync(folder).sort()).toEqual([...kept].sort());
});
