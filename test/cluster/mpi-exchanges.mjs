/**
 * One rank of mpi-exchanges.test.ts: makes every exchange and compares the result with the values that the other ranks must have
 * sent, which follow from their numbers. Prints one line of JSON: rank, size and the failed checks.
 */
import { setTimeout } from "node:timers/promises";
import { MpiRanks } from "../../dist/cluster/mpi.js";
import { loadMpiLibrary } from "../../dist/cluster/mpi-library.js";

const library = await loadMpiLibrary();
/** Bytes of one call, so few that large gathers are split. */
const maxCount = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
const ranks = new MpiRanks(library, maxCount);
const { rank, size } = ranks;
const failures = [];
const check = (name, isTrue) => {
  if (!isTrue) failures.push(name);
};
const numbers = (make) => Array.from({ length: size }, (_, r) => make(r));
/** The starts of parts with gaps between them. */
const startsOf = (counts, gap) =>
  counts.map((_, r) => counts.slice(0, r).reduce((sum, count) => sum + count + gap, gap));

/** The i-th value that rank `from` sends to rank `to`. */
const value = (from, to, i) => Math.imul(i + 1, 2654435761) ^ (from * 40503 + to * 977 + 12345);
const UNTOUCHED = 0xee;

const sameBytes = (a, b) => {
  const [x, y] = [a, b].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  return x.equals(y);
};

const memory = new WebAssembly.Memory({ initial: 200, maximum: 200, shared: true });
/** Arrays of three kinds. */
const KINDS = {
  "shared memory": (Type, length) => new Type(memory.buffer, 12, length),
  "plain memory": (Type, length) =>
    new Type(new WebAssembly.Memory({ initial: 1 + Math.ceil((length * 4) / 65536) }).buffer, 4, length),
  "an array": (Type, length) => new Type(length),
};
const MEGABYTE = 1 << 20;
const LARGE = "above a megabyte";
/** Elements that rank a contributes, or that rank a sends to rank b. */
const COUNTS = {
  odd: (a, b = 0) => 2 * a + 3 * b + 1,
  "with empty parts": (a, b = 0) => ((a + b) % 2 === 0 ? 0 : 7),
  "all empty": () => 0,
  "all of one rank": (a, b = 0) => (a === size - 1 && b === 0 ? 11 : 0),
  [LARGE]: (a, b) => (b === undefined ? MEGABYTE + 2 * a + 1 : MEGABYTE / 4 + a + 3 * b),
};

/** Every kind of array with every kind of counts; the large counts only in shared memory, which is the main case. */
const CASES = Object.entries(KINDS)
  .flatMap(([kind, create]) => Object.entries(COUNTS).map(([name, count]) => ({ kind, create, name, count })))
  .filter(({ kind, name }) => name !== LARGE || kind === "shared memory");

for (const { kind, create, name, count } of CASES) {
  const counts = numbers((r) => count(r));
  const starts = startsOf(counts, 3);
  const buffer = create(Uint8Array, starts[size - 1] + counts[size - 1] + 3).fill(UNTOUCHED);
  for (let i = 0; i < counts[rank]; i++) buffer[starts[rank] + i] = value(rank, 0, i);
  const expected = new Uint8Array(buffer.length).fill(UNTOUCHED);
  for (let r = 0; r < size; r++) {
    for (let i = 0; i < counts[r]; i++) expected[starts[r] + i] = value(r, 0, i);
  }
  ranks.allGather(buffer, name === "odd" ? Int32Array.from(counts) : counts, Float64Array.from(starts));
  check(`allGather, ${name}, ${kind}`, sameBytes(buffer, expected));
}

for (const { kind, create, name, count } of CASES) {
  if (maxCount !== undefined) continue; // calls of allToAll are not split
  const sendCounts = numbers((to) => count(rank, to));
  const receiveCounts = numbers((from) => count(from, rank));
  const [sendStarts, receiveStarts] = [startsOf(sendCounts, 2), startsOf(receiveCounts, 5)];
  const send = new Float32Array(new SharedArrayBuffer(4 * (sendStarts[size - 1] + sendCounts[size - 1])));
  const bits = new Int32Array(send.buffer);
  const length = receiveStarts[size - 1] + receiveCounts[size - 1] + 5;
  const receive = create(Int32Array, length).fill(UNTOUCHED);
  const expected = new Int32Array(length).fill(UNTOUCHED);
  for (let r = 0; r < size; r++) {
    for (let i = 0; i < sendCounts[r]; i++) bits[sendStarts[r] + i] = value(rank, r, i);
    for (let i = 0; i < receiveCounts[r]; i++) expected[receiveStarts[r] + i] = value(r, rank, i);
  }
  ranks.allToAll(
    { data: send, counts: sendCounts, displacements: sendStarts },
    { data: receive, counts: receiveCounts, displacements: receiveStarts },
  );
  check(`allToAll, ${name}, ${kind}`, sameBytes(receive, expected));
}

for (let root = 0; root < size; root++) {
  const bytes = new Uint8Array(MEGABYTE + 3).fill(UNTOUCHED);
  for (let i = 0; rank === root && i < bytes.length; i++) bytes[i] = value(root, 1, i);
  ranks.broadcast(bytes, root);
  check(
    `broadcast of ${root}`,
    bytes.every((byte, i) => byte === (value(root, 1, i) & 255)),
  );
  ranks.broadcast(new Uint8Array(0), root);
}

// the last rank arrives late; no rank may leave before
await setTimeout(30 * rank);
const times = new Float64Array(2 * size);
times[2 * rank] = Date.now();
ranks.barrier();
times[2 * rank + 1] = Date.now();
ranks.allGather(
  new Uint8Array(times.buffer),
  numbers(() => 16),
  numbers((r) => 16 * r),
);
const [before, after] = [0, 1].map((k) => times.filter((_, i) => i % 2 === k));
check("barrier", Math.max(...before) <= Math.min(...after));

const message = (work) => {
  try {
    work();
    return "";
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const outside = message(() =>
  ranks.allGather(
    new Uint8Array(4),
    numbers(() => 1),
    numbers(() => 4),
  ),
);
check(
  "a part outside the array",
  outside === "InternalError: allGather: the part of rank 0 is 4 to 5; expected 0 to 4",
);
const badRoot = message(() => ranks.broadcast(new Uint8Array(1), size + 5));
check("an error of MPI", /^InputError: MPI_Bcast: the exchange between the ranks failed: .*root.*\.$/i.test(badRoot));

const { description } = ranks;
ranks.finalize();
ranks.finalize(); // does nothing
process.stdout.write(`${JSON.stringify({ rank, size, description, failures })}\n`);
