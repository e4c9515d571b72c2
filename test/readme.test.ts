/** README and docs/: links lead somewhere, commands exist, the library example is short. test/package.test.ts runs the example. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/cli/commands.js";
import { parseArguments } from "../src/cli/options/parse-arguments.js";
import { anchorsOf, commandLines, libraryExample, localLinks, markdownFiles } from "./support/markdown.js";
import { readText, root } from "./support/repository.js";

/** The message about an option that does not exist, if there is one. */
function unknownOption(parse: () => unknown): string | undefined {
  try {
    parse();
  } catch (error) {
    if (String(error).includes("unknown option")) return String(error);
  }
  return undefined;
}

/** A README that fits on a few screens; the rest belongs into docs/. */
const MAX_README_BYTES = 6000;

describe("the README", () => {
  test("is at most 6 kB long", () => {
    expect(Buffer.byteLength(readText("README.md"))).toBeLessThanOrEqual(MAX_README_BYTES);
  });

  test("has one library example, of five lines", () => {
    expect(libraryExample().trim().split("\n")).toHaveLength(5);
  });

  test("shows at least three different commands", () => {
    const names = commandLines(readText("README.md")).map(([name]) => name);
    expect(new Set(names).size).toBeGreaterThanOrEqual(3);
  });
});

describe.each(markdownFiles())("%s", (file) => {
  const text = readText(file);

  test("links to files and headings that exist", () => {
    const broken = localLinks(text).filter((link) => {
      const [path, anchor] = link.split("#");
      const target = path === "" ? file : join(dirname(file), decodeURIComponent(path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(readText(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("names commands and options that exist", async () => {
    for (const [name, ...words] of commandLines(text)) {
      const command = await commands.find((candidate) => candidate.name === name)?.load();
      expect(command, `hmge ${name}`).toBeDefined();
      if (command === undefined) continue;
      const task = command.subcommands?.find((candidate) => candidate.name === words[0]);
      if (command.subcommands !== undefined && task === undefined) continue;
      const parsed = task === undefined ? command : await task.load();
      // a value may be a name, such as N or FILE
      expect(
        unknownOption(() => parseArguments(parsed, words)),
        [name, ...words].join(" "),
      ).toBeUndefined();
    }
  });
});

test("links are checked: a missing heading and a missing file are found", () => {
  expect(localLinks('[a](b.md#c) `[d](e)` ![f](g.svg) [h](https://i.example) <img src="j.svg">')).toEqual([
    "b.md#c",
    "g.svg",
    "j.svg",
  ]);
  expect([...anchorsOf("# New nodes\n## `embed`: a *word*, and\n## New nodes\n```\n# code\n```")]).toEqual([
    "new-nodes",
    "embed-a-word-and",
    "new-nodes-1",
  ]);
  expect(
    commandLines(
      '```\n$ npx hmge embed "a b" --out v # note\nnode  cosine\n```\nand `hmge/io`, `npm start -- project v`',
    ),
  ).toEqual([
    ["embed", '"a b"', "--out", "v"],
    ["project", "v"],
  ]);
});

test("docs/models.md and docs/commands.md say what the definitions say", () => {
  execFileSync(process.execPath, [join(root, "scripts/write-docs.mjs"), "--check"]);
});
