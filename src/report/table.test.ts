import { describe, expect, it } from "vitest";
import { cellText, htmlTable, markdownTable, measureText, type Table, tableText } from "./table.js";

const table: Table = {
  header: ["model", "macro-F1", "nodes"],
  rows: [
    ["a <b> | c_d", { value: 0.91234, deviation: 0.0049, best: true }, 12345],
    ["published", { value: 0.9, digits: 1 }, null],
  ],
  quoted: [1],
};

describe("cells", () => {
  it("shows means with deviations, whole numbers in groups of three digits, and unknown values as a dash", () => {
    expect(measureText({ value: 0.5, deviation: 0.125, digits: 2 })).toBe("0.50 ± 0.13");
    expect([cellText(1234), cellText(0.5), cellText(null), cellText("x"), cellText({ value: Number.NaN })]).toEqual([
      "1,234",
      "0.500",
      "–",
      "x",
      "–",
    ]);
    expect(tableText(table)).toEqual([
      ["model", "macro-F1", "nodes"],
      ["a <b> | c_d", "0.912 ± 0.005", "12,345"],
      ["published", "0.9", "–"],
    ]);
  });
});

describe("markdownTable", () => {
  it("escapes characters that would end a cell or change its format", () => {
    expect(markdownTable(table)).toBe(
      [
        "| model | macro-F1 | nodes |",
        "| --- | ---: | ---: |",
        "| a &lt;b&gt; \\| c\\_d | **0.912 ± 0.005** | 12,345 |",
        "| *published* | *0.9* | *–* |",
      ].join("\n"),
    );
  });
});

describe("htmlTable", () => {
  it("escapes text, aligns numbers and marks rows from other sources", () => {
    const html = htmlTable(table, "A & B");
    expect(html).toContain("<caption>A &amp; B</caption>");
    expect(html).toContain('<td>a &lt;b&gt; | c_d</td><td class="number"><strong>0.912 ± 0.005</strong></td>');
    expect(html).toContain('<tr class="quoted"><td>published</td>');
    expect(html.match(/<th /g)).toHaveLength(3);
  });

  it("treats names made of digits as names", () => {
    expect(htmlTable({ header: ["node", "cosine"], rows: [["17", 0.5]] })).toContain('<td>17</td><td class="number">');
  });
});
