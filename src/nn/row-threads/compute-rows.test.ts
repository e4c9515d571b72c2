import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import type { RowPart } from "../../numeric/row-parts.js";
import { stackedRows } from "../../numeric/row-parts.js";
import { logRatios } from "../diffusion/log-ratio-matrix.js";
import { rankRows } from "../diffusion/rank-rows.js";
import { transitionMatrix } from "../diffusion/transition-matrix.js";
import { computeRows } from "./compute-rows.js";
import { arrayBuffers, withSharedArrays } from "./shared-arrays.js";

const N = 600;

/** A ring with random chords. */
function ring() {
  const rng = new Rng(1, "ring");
  const rows = Array.from({ length: N }, (_, i) => new Set([(i + 1) % N, (i + N - 1) % N]));
  for (let e = 0; e < N; e++) {
    const [i, j] = [rng.below(N), rng.below(N)];
    if (i === j) continue;
    rows[i].add(j);
    rows[j].add(i);
  }
  const columns = rows.flatMap((row) => [...row].sort((a, b) => a - b));
  const rowStart = new Uint32Array(N + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.size;
  });
  return { rowStart, columns: Uint32Array.from(columns) };
}

const walk = transitionMatrix([ring()], N);

async function ratiosOn(threads: number) {
  const rows = { begin: 0, end: N, threads };
  const ranks = await computeRows(rankRows, { walk, kept: 32 }, rows);
  const columnMeans = new Float64Array(N);
  for (const { sums } of ranks) for (let j = 0; j < N; j++) columnMeans[j] += sums[j];
  // after the sum, which is exact
  for (let j = 0; j < N; j++) columnMeans[j] /= N;
  const parts: RowPart[] = ranks.map(({ part }) => part);
  const ratios = await computeRows(logRatios, { parts, columnMeans }, rows);
  return { numParts: parts.length, ranks: stackedRows(parts, 1), columnMeans, ratios: stackedRows(ratios, 1) };
}

describe("rows on threads", () => {
  it("have the same bits for any number of threads", async () => {
    const { numParts, ...alone } = await ratiosOn(1);
    expect(numParts).toBe(1);
    expect(alone.ratios.columns.length).toBeGreaterThan(N);
    for (const threads of [2, 3, 5]) {
      const { numParts: several, ...found } = await ratiosOn(threads);
      expect(several).toBe(threads);
      expect(found).toEqual(alone);
    }
  });

  it("are computed on one thread if there are fewer rows than threads", async () => {
    const found = await computeRows(rankRows, { walk, kept: 8 }, { begin: 5, end: 7, threads: 3 });
    expect(found.map(({ part }) => [part.firstRow, part.rowStart.length])).toEqual([[5, 3]]);
  });

  it.each([1, 2])("report the rows that are done, and stop at the signal, on %i threads", async (threads) => {
    const done: number[] = [];
    const onRows = (rows: number) => void done.push(rows);
    await computeRows(rankRows, { walk, kept: 8 }, { begin: 0, end: N, threads, onRows });
    expect(done.length).toBeGreaterThan(0);
    expect(done.every((rows, at) => rows <= N && rows >= (done[at - 1] ?? 0))).toBe(true);
    const controller = new AbortController();
    const stop = () => controller.abort(new Error("stopped"));
    const running = { begin: 0, end: N, threads, signal: controller.signal, onRows: stop };
    await expect(computeRows(rankRows, { walk, kept: 8 }, running)).rejects.toThrow("stopped");
    const aborted = AbortSignal.abort(new Error("enough"));
    const request = { begin: 0, end: N, threads, signal: aborted };
    await expect(computeRows(rankRows, { walk, kept: 8 }, request)).rejects.toThrow("enough");
  });

  it("fail if a thread fails", async () => {
    const broken = { ...walk, columns: null as never };
    const request = { begin: 0, end: N, threads: 2 };
    await expect(computeRows(rankRows, { walk: broken, kept: 8 }, request)).rejects.toThrow(TypeError);
    await expect(computeRows({ ...rankRows, name: "unknown" }, { walk, kept: 8 }, request)).rejects.toThrow(
      "no task is called unknown",
    );
  });
});

describe("arrays for threads", () => {
  it("are moved to shared memory with their types, and other data is kept", () => {
    const data = { a: [Uint8Array.of(1, 2)], b: { c: Float64Array.of(0.5), d: undefined, e: "text" }, n: null };
    const shared = withSharedArrays({ ...data, view: Uint32Array.of(7, 8, 9).subarray(1) });
    expect(shared).toEqual({ ...data, view: Uint32Array.of(8, 9) });
    expect([shared.a[0], shared.b.c, shared.view].every(({ buffer }) => buffer instanceof SharedArrayBuffer)).toBe(
      true,
    );
    expect(withSharedArrays(shared).view).toBe(shared.view);
  });

  it("are found once each", () => {
    const numbers = new Float32Array(8);
    const other = new Uint32Array(2);
    const found = arrayBuffers({ a: numbers.subarray(1), b: [numbers.subarray(3), { c: other }], d: 1 });
    expect(found).toEqual([numbers.buffer, other.buffer]);
  });
});
