/** Every kind of line, drawn at every width: nothing throws, and no line is wider than the terminal. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { demoSummary } from "../../src/cli/demo/demo-summary.js";
import { fitted, terminalColumns } from "../../src/cli/terminal/output.js";
import { progressLine, showBar, showParts, showProgress } from "../../src/cli/terminal/progress.js";
import type { RunRecord } from "../../src/core/record.js";
import { barChart, displayWidth, lossPlot, MIN_COLUMNS, table } from "../../src/report/terminal.js";

const WIDTHS = Array.from({ length: 201 }, (_, width) => width);
const WIDE = "日本語のとても長い名前のファイル".repeat(3);
const NAMES = [
  "a",
  "a_file_name_of_forty-four_characters_in_all.csv",
  "x".repeat(300),
  WIDE,
  "👩‍👩‍👧‍👦❤️✅🇯🇵".repeat(8),
  "e\u0301".repeat(120),
  "tab\tnew\nline\r\u001b[2J\u0007\u0000",
];

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const name of ["isTTY", "columns"] as const) {
    if (saved[name] === undefined) delete (process.stderr as Partial<NodeJS.WriteStream>)[name];
    else Object.defineProperty(process.stderr, name, saved[name]);
  }
});
const saved = {
  isTTY: Object.getOwnPropertyDescriptor(process.stderr, "isTTY"),
  columns: Object.getOwnPropertyDescriptor(process.stderr, "columns"),
};

/** Makes standard error a terminal of `columns`, with a clock that advances a second per call. */
function terminal(columns: number | undefined, ascii = false): string[] {
  const written: string[] = [];
  let now = 0;
  vi.stubEnv("TERM", "xterm");
  vi.stubEnv("LC_ALL", ascii ? "C" : "C.UTF-8");
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  Object.defineProperty(process.stderr, "columns", { value: columns, configurable: true });
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  return written;
}

/** Width of the widest line of a text, without colours and cleared lines. */
function widest(text: string): number {
  return text
    .replaceAll("\r\u001b[K", "\n")
    .split("\n")
    .reduce((most, line) => Math.max(most, displayWidth(line)), 0);
}

const report = { epoch: 61, loss: 0.51234, bestLoss: 0.5, seconds: 0.01 } as never;

describe.each([false, true])("ascii %s", (ascii) => {
  test.each(NAMES)("a bar, its parts and a training fit each width: %j", (name) => {
    const tooWide: string[] = [];
    for (const columns of WIDTHS) {
      const written = terminal(columns, ascii);
      const parts = showParts(false);
      parts.update(name, report, 300);
      parts.step(name, 3, 12);
      parts.end();
      const progress = showProgress(300, false, name);
      progress.update(report);
      progress.end();
      const bar = showBar(10, false);
      bar.update(5, () => [name, name, name]);
      bar.end();
      expect(written).toHaveLength(8); // four bars, each cleared
      const known = columns || 80;
      for (const text of written) {
        if (widest(text) > Math.max(0, known - 1)) tooWide.push(`${columns}: ${text}`);
        for (const control of ["\n", "\t", "\u0007", "\u0000", "\u001b[2J"]) expect(text).not.toContain(control);
      }
      vi.restoreAllMocks();
    }
    expect(tooWide).toEqual([]);
  });

  test("charts and tables fit each width", () => {
    const rows = [
      ["relation", "edges", "mean degree", "why"],
      ...NAMES.map((name) => [name, "1,234,567", "4.21", name]),
    ];
    const bars = NAMES.map((label) => ({ label, value: 0.5, initial: 0.25 }));
    for (const width of WIDTHS) {
      const drawn = {
        table: table(rows, { ascii, width, cut: true }),
        indented: table(rows.slice(0, 3), { ascii, width, indent: 2, cut: true }),
        numbersFirst: table(
          rows.map(([a, b]) => [b, a]),
          { ascii, width, cut: true },
        ),
        oneColumn: table(
          rows.map(([name]) => [name]),
          { ascii, width, cut: true },
        ),
        bars: barChart(bars, { ascii, width }),
        plot: lossPlot([3, 2.5, 1], { ascii, width, bestEpoch: 2 }),
        largePlot: lossPlot([-3e9, 7e12], { ascii, width, bestEpoch: 1 }),
      };
      if (width < MIN_COLUMNS) continue;
      for (const [kind, text] of Object.entries(drawn))
        expect(widest(text), `${kind} at ${width}`).toBeLessThanOrEqual(width);
    }
  });
});

test("the summary of the demonstration fits each width", () => {
  const isTTY = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
  const style = { bold: String, dim: String, accent: String };
  try {
    for (const width of WIDTHS) {
      const stream = { columns: width, isTTY: true } as never;
      const output = { ascii: false, columns: terminalColumns(stream), style } as never;
      const lines = fitted(demoSummary(DEMO, output), stream).split("\n");
      if (width > 0 && width < MIN_COLUMNS) continue;
      const prose = lines.filter((line) => !line.includes("npx hmge "));
      expect(lines.length - prose.length).toBe(4);
      expect(widest(prose.join("\n")), `at ${width}`).toBeLessThanOrEqual(width || 80);
    }
  } finally {
    if (isTTY === undefined) delete (process.stdout as Partial<NodeJS.WriteStream>).isTTY;
    else Object.defineProperty(process.stdout, "isTTY", isTTY);
  }
});

test("printed lines break at spaces and are indented, and commands stay on one line", () => {
  const stream = { columns: 30, isTTY: true } as never;
  const prose = "\u001b[1mgraph\u001b[22m    1,234 nodes, 5,678 edges in 3 relations";
  expect(fitted(prose, stream).split("\n")).toEqual([
    "\u001b[1mgraph\u001b[22m    1,234 nodes, 5,678",
    "         edges in 3 relations",
  ]);
  const command = "Try: npx hmge neighbors vectors 'a node with a long name'";
  expect(fitted(command, stream)).toBe(command);
  expect(fitted(prose, { columns: 30 } as never)).toBe(prose);
});

test("zero, negative and infinite totals draw a bar without an error", () => {
  for (const total of [0, -1, NaN, Infinity, 10]) {
    for (const done of [0, 5, 1e9, -3, NaN, Infinity]) {
      for (const columns of [0, 1, 12, 80]) {
        const line = progressLine({ done, total, words: ["step"], columns, ascii: false });
        expect(displayWidth(line), `${done} of ${total}`).toBeLessThanOrEqual(Math.max(0, columns - 1));
      }
    }
  }
  expect(progressLine({ done: 20, total: 10, words: ["x"], columns: 14, ascii: true })).toBe("[#########] x");
  expect(lossPlot([NaN, Infinity])).toBe("");
  expect(lossPlot([1, NaN, -Infinity, 0.5], { width: 30 })).toContain("epoch 4");
  expect(
    barChart(
      [
        { label: "a", value: NaN, initial: Infinity },
        { label: "b", value: -1 },
      ],
      { width: 20 },
    ),
  ).toContain("b");
});

test("errors while progress is drawn do not end the work", () => {
  terminal(80);
  vi.mocked(process.stderr.write).mockImplementation(() => {
    throw Object.assign(new Error("write EIO"), { code: "EIO" });
  });
  const bar = showBar(2, false);
  bar.update(1, () => ["step 1"]);
  bar.end();
  const other = showBar(2, false);
  other.update(1, () => {
    throw new RangeError("no words");
  });
  other.update(2, () => ["step 2"]);
  other.end();
});

const person = (name: string) => ({
  name,
  family: "f",
  quarter: "harbour",
  street: "Lantern street of the old harbour",
  house: 3,
  workplace: "observatory",
  society: "society of friends of stars",
});
const DEMO = {
  town: "Port",
  record: {
    options: { dim: 128 },
    epochs: 150,
    seconds: { train: 1.25, total: 3 },
    losses: [3, 2, 1],
    bestEpoch: 3,
    views: [{ name: "spectral", width: 64 }],
    outputs: ["embeddings.parquet", "report.html", "run.json"],
    memory: { peakBytes: 2e8 },
    engine: { description: "wasm, relaxed SIMD, 2 threads" },
  } as unknown as RunRecord,
  portraits: [
    {
      person: person("Ada Long-Surname"),
      near: [
        { person: person("Bo Other-Surname"), cosine: 0.9, ties: [{ relation: "family", direct: true, common: 1 }] },
      ],
    },
  ],
  agreements: [{ grouping: "family" as const, nearest: 0.5, chance: 0.02 }],
  nearest: 5,
  files: { edges: "hmge-demo/edges.csv", people: "hmge-demo/people.csv", vectors: "hmge-demo/vectors" },
};
