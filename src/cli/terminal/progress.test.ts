import { afterEach, expect, test, vi } from "vitest";
import { showReading } from "../run/load-source.js";
import { showBar, showParts, showProgress } from "./progress.js";

const isTTY = process.stderr.isTTY;

/** What a bar writes to standard error that is no terminal, under a clock of our own. */
function watch() {
  const written: string[] = [];
  let now = 0;
  process.stderr.isTTY = false;
  vi.spyOn(performance, "now").mockImplementation(() => 1000 * now);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  return {
    written,
    at: (seconds: number) => {
      now = seconds;
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTTY;
});

test("without a terminal a line now and then, and one for the last step", () => {
  const { written, at } = watch();
  const bar = showBar(4, false);
  [1, 9, 11, 19].forEach((seconds, i) => {
    at(seconds);
    bar.update(i + 1, () => [`step ${i + 1}`]);
  });
  bar.end();
  expect(written).toEqual(["step 3\n", "step 4\n"]);
});

test("short work leaves no line if the option `last` is false", () => {
  const { written, at } = watch();
  const bar = showBar(2, false, { last: false });
  at(5);
  bar.update(2, () => ["step 2"]);
  bar.end();
  expect(written).toEqual([]);
});

test("progress of a long cell is reported once a minute, with the name of the current part", () => {
  const { written, at } = watch();
  const parts = showParts(false, { seconds: 60, last: false });
  const report = (epoch: number) => ({ epoch, loss: 0.5, bestLoss: 0.5, seconds: 1 }) as never;
  parts.update("1/2 multiview, seed 1, infomax", report(1), 300);
  at(59);
  parts.update("1/2 multiview, seed 1, infomax", report(59), 300);
  at(61);
  parts.update("1/2 multiview, seed 1, infomax", report(61), 300);
  at(62);
  parts.update("1/2 multiview, seed 1", report(1), 100);
  parts.end();
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(
    /^1\/2 multiview, seed 1, infomax: epoch 61\/300, loss 0\.5000, 1\.00 epochs\/s, .*left\n$/,
  );
});

test("the rate of epochs is smoothed: one slow epoch changes it by a tenth", () => {
  const { written, at } = watch();
  const progress = showProgress(100, false);
  const report = (epoch: number, seconds: number) => ({ epoch, loss: 0.5, bestLoss: 0.5, seconds }) as never;
  progress.update(report(1, 1));
  at(11);
  progress.update(report(2, 11));
  // 1 + 0.1 · (11 − 1) seconds an epoch, and 98 more of them
  expect(written).toEqual([
    expect.stringMatching(/^epoch 2\/100, loss 0\.5000, 0\.500 epochs\/s, (≤|at most) 3 min 16 s left\n$/),
  ]);
});

test("quiet writes nothing", () => {
  const { written, at } = watch();
  const bar = showBar(1, true);
  at(100);
  bar.update(1, () => ["step 1"]);
  bar.end();
  expect(written).toEqual([]);
});

test("reading is silent for a second, then shows bytes, rows and the file", () => {
  const { written, at } = watch();
  const reading = showReading(false);
  const progress = { step: "reading", share: 0.25, file: "data/edges.csv", bytes: 25e6, totalBytes: 1e8 } as const;
  at(0.9);
  reading.update(progress);
  expect(written).toEqual([]);
  at(11);
  reading.update({ ...progress, rows: 1_234_567, estimated: true });
  at(22);
  reading.update({ step: "finding the nodes" });
  at(33);
  reading.update({ step: "finding the nodes" });
  reading.end();
  expect(written).toEqual([
    "reading: 25 MB of 100 MB, about 1,200,000 rows, edges.csv\n",
    "finding the nodes: 0 s\n",
    "finding the nodes: 11 s\n",
  ]);
});
