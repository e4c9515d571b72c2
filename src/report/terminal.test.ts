import { describe, expect, it } from "vitest";
import { formatBytes, formatCount, formatLoss, formatNumber, formatSeconds, plural } from "./format.js";
import { barChart, clip, displayWidth, lossPlot, table } from "./terminal.js";

describe("numbers as text", () => {
  it("keeps two or three digits and chooses the unit", () => {
    expect([0, 999, 1000, 1234, 99_400, 123_456_789, 1.2e9].map(formatBytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "1.2 kB",
      "99 kB",
      "123 MB",
      "1.2 GB",
    ]);
    expect([0.00042, 0.0123, 0.5, 1, 9.94, 59.4, 60, 125, 3600, 7325].map(formatSeconds)).toEqual([
      "0.42 ms",
      "12 ms",
      "500 ms",
      "1.0 s",
      "9.9 s",
      "59 s",
      "1 min",
      "2 min 5 s",
      "1 h 0 min",
      "2 h 2 min",
    ]);
    expect([0, 999, 1000, 1234567].map(formatCount)).toEqual(["0", "999", "1,000", "1,234,567"]);
    expect([Math.LN2, -2, 123456.7, 1.1569361158578295e30].map(formatLoss)).toEqual([
      "0.6931",
      "-2.0000",
      "123456.7000",
      "1.157e+30",
    ]);
    expect([0, 0.5, 1234.5, 0.00001].map(formatNumber)).toEqual(["0", "0.5", "1230", "1.0e-5"]);
    expect([plural(1, "node"), plural(2, "node"), plural(0, "entry", "entries")]).toEqual([
      "1 node",
      "2 nodes",
      "0 entries",
    ]);
  });
});

describe("lossPlot", () => {
  it("draws a falling curve from the upper left to the lower right", () => {
    expect(lossPlot([4, 3, 2, 1], { width: 16, height: 4, ascii: true })).toBe(
      ["4.00 |**", "     |  ***", "     |     ***", "1.00 |        **", "     +----------", "      1  epoch 4"].join(
        "\n",
      ),
    );
  });

  it("accepts one epoch, equal losses and a best epoch", () => {
    expect(lossPlot([])).toBe("");
    expect(lossPlot([0.7], { ascii: true, height: 2 })).toContain("epoch 1");
    expect(lossPlot([1, 1, 1], { height: 3 })).not.toContain("NaN");
    expect(lossPlot([3, 1, 2], { bestEpoch: 2 })).toContain("best: 2");
  });

  it("draws steep curves without gaps", () => {
    const lines = lossPlot([1, 0, 0], { width: 20, height: 5, ascii: true }).split("\n").slice(0, 5);
    for (const line of lines) expect(line).toContain("*");
  });
});

describe("barChart", () => {
  it("scales to the largest value and marks the start", () => {
    const chart = barChart(
      [
        { label: "a", value: 1, initial: 0.5 },
        { label: "bb", value: 0.25, initial: 0.5 },
      ],
      { width: 19, ascii: true, format: String },
    );
    expect(chart).toBe(["a     1 #####|####", "bb 0.25 ###  |"].join("\n"));
  });
});

describe("table", () => {
  it("aligns words left and numbers right, by their width on the terminal", () => {
    const rows = [
      ["name", "edges"],
      ["日本", "7"],
      ["x", "1,234"],
    ];
    expect(table(rows, { ascii: true })).toBe(["name  edges", "----  -----", "日本      7", "x     1,234"].join("\n"));
  });
});

describe("a table that is too wide", () => {
  it("is split into parts that each begin with the first column", () => {
    const rows = [
      ["name", "alpha", "beta", "gamma"],
      ["x", "1", "2", "3"],
    ];
    const [alpha, beta, gamma] = [
      "name  alpha\n----  -----\nx         1",
      "name  beta\n----  ----\nx        2",
      "name  gamma\n----  -----\nx         3",
    ];
    expect(table(rows, { ascii: true, width: 16 })).toBe([alpha, beta, gamma].join("\n\n"));
    const sparse = table([...rows, ["y", "", "4", ""]], { ascii: true, width: 16 });
    expect(sparse.split("\n\n").map((part) => part.split("\n").length)).toEqual([3, 4, 3]);
    expect(table(rows, { ascii: true, width: 17 }).split("\n\n")).toHaveLength(2);
    const pairs = [
      ["from", "to", "score", "also"],
      ["x", "y", "1", "work"],
      ["x", "z", "2", ""],
    ];
    const [, also] = table(pairs, { ascii: true, width: 15, keys: 2 }).split("\n\n");
    expect(also.split("\n")).toEqual(["from  to  also", "----  --  ----", "x     y   work"]);
    expect(table(rows, { ascii: true, width: 1 }).split("\n\n")).toHaveLength(3);
    expect(table(rows, { ascii: true, width: 80 })).toBe(table(rows, { ascii: true }));
  });
});

describe("text", () => {
  it("is measured and cut by terminal columns", () => {
    expect([displayWidth("abc"), displayWidth("日本"), displayWidth("e\u0301")]).toEqual([3, 4, 1]);
    expect([clip("abcdef", 4), clip("日本語", 5), clip("ab", 4)]).toEqual(["abc…", "日本…", "ab"]);
  });
});
