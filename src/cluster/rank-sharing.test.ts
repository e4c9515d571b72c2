import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { RankSharing } from "./rank-sharing.js";

/** One rank alone. test/cluster/mpi-sharing.test.ts has several. */
const rank = {
  rank: 0,
  size: 1,
  description: "one rank",
  allGather: () => {},
  allToAll: () => {},
  barrier: () => {},
  abort: (): never => {
    throw new Error("abort");
  },
};
const folder = mkdtempSync(join(tmpdir(), "hmge-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("results are arrays in a file that has lost its name", async () => {
  const sharing = new RankSharing(rank, { folders: [join(folder, "absent"), folder] });
  const [found] = await sharing.byRows(7, (begin, end) => ({ range: Uint32Array.of(begin, end), text: "seven" }));
  expect(found).toEqual({ range: Uint32Array.of(0, 7), text: "seven" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a rank alone on its machine keeps its value", async () => {
  const value = new Map();
  expect(await new RankSharing(rank).once(() => value)).toBe(value);
});

test("errors of the work, and of the place for its results", async () => {
  const sharing = new RankSharing(rank, { folders: [join(folder, "absent")] });
  const fail = () => {
    throw new InputError("no such file");
  };
  await expect(sharing.once(fail)).rejects.toThrow(new InputError("no such file"));
  await expect(sharing.byRows(1, () => new Uint8Array(3e6))).rejects.toThrow(
    /^ranks: 4 MB that the ranks of a machine share find no place \(.*absent: ENOENT: .*\)\. Free some space, or set TMPDIR/,
  );
});
