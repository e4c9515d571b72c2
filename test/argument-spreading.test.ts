/** Arguments live on the stack: `push(...list)` and `Math.max(...list)` fail for lists of some 100,000. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { table } from "../src/report/terminal.js";
import { sourceFiles } from "./support/imports.js";
import { readText, root } from "./support/repository.js";

/** Calls whose number of arguments does not grow with the data: notes of a table, file names, words of a command line. */
const SMALL =
  /\b(notes|told|files|results|words)\.push\(\.\.\.|rows\.push\(\.\.\.(scanner\.end|\(await measure)|hypot\(\.\.\.mean\)|push\(\.\.\.new Array\(DESCRIPTOR_WORDS\)/;
const SPREADING = /\b(push|unshift|max|min|hypot|fromCharCode|fromCodePoint|concat)\((?:[^()[\]{}]*, )?\.\.\./;

test("no call spreads a list whose length the data sets", () => {
  const found = sourceFiles(join(root, "src")).flatMap((path) =>
    readText(`src/${path}`)
      .split("\n")
      .flatMap((line, i) =>
        SPREADING.test(line.replace(/^\s*(\/?\*|\/\/).*/, "")) && !SMALL.test(line)
          ? [`${path}:${i + 1}: ${line.trim()}`]
          : [],
      ),
  );
  expect(found).toEqual([]);
});

test("a table may have a row for each of very many relations", () => {
  const rows = Array.from({ length: 150_000 }, (_, i) => [`r${i}`, "1"]);
  expect(table(rows, { ascii: true }).split("\n").length).toBeGreaterThan(150_000);
});
