/**
 * One rank of mpi-sharing.test.ts: shares values with the other ranks and compares them with the values that must arrive. Prints one
 * line of JSON: rank, size and the failed checks. Arguments: JSON of the settings of RankSharing. Needs --expose-gc.
 */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { InputError } from "../../dist/core/errors.js";
import { findMachines } from "../../dist/cluster/machines.js";
import { MpiRanks } from "../../dist/cluster/mpi.js";
import { loadMpiLibrary } from "../../dist/cluster/mpi-library.js";
import { RankSharing } from "../../dist/cluster/rank-sharing.js";

const settings = JSON.parse(process.argv[2] ?? "{}");
const ranks = new MpiRanks(await loadMpiLibrary());
const { rank, size } = ranks;
const machines = settings.machines ?? findMachines(ranks);
const isFirst = machines[rank] === rank;
const sharing = new RankSharing(ranks, { ...settings, machines });
const failures = [];
const check = (name, isTrue) => {
  if (!isTrue) failures.push(name);
};
const messageOf = async (work) => {
  try {
    await work();
    return "no error";
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

/** Arrays of every type, with values that depend on `seed`, and everything else that a value may hold. */
const sample = (seed, length) => {
  const numbers = Array.from({ length }, (_, i) => (i * 37 + seed) % 120);
  const words = ["", "a", "é\0", "\u{1f600} 漢", "\ud800 lone"];
  return {
    small: [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array].map((Type) => Type.from(numbers)),
    words: [Int32Array, Uint32Array].map((Type) => Type.from(numbers, (x) => 1e6 * x)),
    floats: [Float32Array, Float64Array].map((Type) => Type.from(numbers, (x) => (x - 3) / 8)),
    longs: [BigInt64Array, BigUint64Array].map((Type) => Type.from(numbers, (x) => BigInt(x) << 40n)),
    empty: [new Float32Array(0), new Uint32Array(0), [], {}],
    wide: Array.from({ length: 1500 }, (_, i) => `${words[i % words.length]} ${seed}`),
    narrow: Array.from({ length: 1000 }, (_, i) => (i % 3 === 0 ? "" : `n${i}\xff`)),
    few: [...words, String(seed)],
    others: [Number.NaN, -0, Number.POSITIVE_INFINITY, 0.1, true, false, null, undefined, { name: undefined }],
  };
};
/** A copy whose lists are plain. */
const plain = (value) => ({ ...value, wide: [...value.wide], narrow: [...value.narrow] });
const equal = (found, expected) => isDeepStrictEqual(plain(found), plain(expected));

let numCalls = 0;
const shared = await sharing.once(async () => {
  numCalls++;
  await setTimeout(20);
  const value = sample(5, 1000);
  return { value, again: value.words[1] };
});
check("once: one call on each machine", numCalls === (isFirst ? 1 : 0));
check("once: the value", equal(shared.value, sample(5, 1000)));
check("once: one array in two places", shared.again === shared.value.words[1]);
check("once: lists", Array.isArray(shared.value.wide) && shared.value.narrow.indexOf("n998\xff") === 998);
check("once: undefined", (await sharing.once(() => undefined)) === undefined);

// a write is private
ranks.barrier();
shared.value.words[0][rank] = 77;
ranks.barrier();
check("a write is private", sample(5, 1000).words[0].every((x, i) => x === shared.value.words[0][i] || i === rank));

const lengths = (begin, end) => sample(begin + 1, 100 * (end - begin) + begin);
for (const numRows of [0, 1, 10, 101]) {
  const starts = Array.from({ length: size + 1 }, (_, r) => Math.floor((numRows * r) / size));
  const results = await sharing.byRows(numRows, (begin, end) => {
    check(`byRows ${numRows}: own range`, begin === starts[rank] && end === starts[rank + 1]);
    return lengths(begin, end);
  });
  const expected = starts.slice(0, size).map((begin, r) => lengths(begin, starts[r + 1]));
  check(`byRows ${numRows}: number of results`, results.length === size);
  results.forEach((found, r) => check(`byRows ${numRows}: result of rank ${r}`, equal(found, expected[r])));
}

const throwing = (on) => () => {
  if (rank === on) throw new InputError("no such file");
  return new Uint8Array(100);
};
const last = size - 1;
const where = last === 0 || rank === last ? "" : `rank ${last}: `;
check(
  "byRows: an error of the last rank",
  (await messageOf(() => sharing.byRows(5, throwing(last)))) === `InputError: ${where}no such file`,
);
check("once: an error of rank 0", (await messageOf(() => sharing.once(throwing(0)))) === "InputError: no such file");
const strange = await messageOf(() => sharing.once(() => new Map()));
check("once: a value that cannot be shared", /^InternalError: (rank \d: )?sharing: found .* Map; expected/.test(strange) || (isFirst && machines.every((m, r) => m === r)));

const missing = new RankSharing(ranks, { machines, folders: ["/absent", tmpdir()] });
check("the next folder", (await missing.byRows(size, (begin) => Float64Array.of(begin)))[last][0] === last);
const nowhere = new RankSharing(ranks, { machines, folders: ["/absent", "/proc"] });
const refused = await messageOf(() => nowhere.byRows(size, () => new Uint8Array(2e6)));
check(
  "no folder",
  /^InputError: ranks: \d+ MB that the ranks of a machine share find no place \(\/absent: ENOENT.*; \/proc: .*\)\. Free/.test(refused),
);
check("sharing goes on after an error", (await sharing.once(() => 3)) === 3);

if (process.platform === "linux" && settings.measures) {
  const megabytes = (kinds) => {
    const text = readFileSync("/proc/self/smaps_rollup", "utf8");
    return kinds.reduce((sum, kind) => sum + Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, "m").exec(text)[1]), 0) / 1024;
  };
  const measure = () => {
    globalThis.gc();
    return { own: megabytes(["Private_Clean", "Private_Dirty"]), shared: megabytes(["Shared_Clean", "Shared_Dirty"]) };
  };
  /** Whether a large file of hmge is mapped; its name is deleted. */
  const isMapped = () =>
    [...readFileSync("/proc/self/maps", "utf8").matchAll(/^(\w+)-(\w+) .*\/hmge-.* \(deleted\)$/gm)].some(
      ([, start, end]) => Number.parseInt(end, 16) - Number.parseInt(start, 16) > 90 * 2 ** 20,
    );
  const before = measure();
  let large = await sharing.once(() => new Uint32Array(25 * 2 ** 20).fill(3)); // 100 MiB
  check("large: content", large.every((x) => x === 3));
  ranks.barrier();
  let after = measure();
  // the rank that made the array frees its own copy after some time
  for (let i = 0; i < 100 && after.own - before.own >= 20; i++) {
    await setTimeout(10);
    after = measure();
  }
  ranks.barrier();
  check(`large: private memory grew from ${before.own} to ${after.own}`, after.own - before.own < 20);
  check(`large: shared memory grew from ${before.shared} to ${after.shared}`, after.shared - before.shared > 90);
  check("large: it is mapped", isMapped());
  large = undefined;
  for (let i = 0; i < 100 && isMapped(); i++) {
    globalThis.gc();
    await setTimeout(10);
  }
  check("large: it is unmapped when nothing uses it", !isMapped());
}

const own = (folder) => readdirSync(folder).filter((name) => name.startsWith(`hmge-${process.pid}-`));
check("no names are left", ["/dev/shm", realpathSync(tmpdir())].flatMap(own).length === 0);
ranks.finalize();
process.stdout.write(`${JSON.stringify({ rank, size, machines, failures })}\n`);
