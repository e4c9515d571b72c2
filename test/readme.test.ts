import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/cli/commands.js";
import { readEmbeddings } from "../src/io/index.js";
import { libraryExample, smallEdgeFile } from "./support/readme.js";
import { readText, root } from "./support/repository.js";

describe("the README", () => {
  test("has a library example of five lines that runs against the build", async () => {
    const example = libraryExample();
    expect(example.trim().split("\n")).toHaveLength(5);
    const folder = mkdtempSync(join(tmpdir(), "hmge-readme-"));
    try {
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(root, join(folder, "node_modules/hmge"), "junction");
      writeFileSync(join(folder, "edges.csv"), smallEdgeFile());
      writeFileSync(join(folder, "example.mjs"), example);
      execFileSync(process.execPath, ["example.mjs"], { cwd: folder });
      const { ids, dim } = await readEmbeddings(join(folder, "vectors.parquet"));
      expect(ids).toContain("Ada");
      expect(dim).toBe(64);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("lists every command and no other", () => {
    const listed = [...readText("README.md").matchAll(/^\| `hmge ([\w-]+)/gm)].map(([, name]) => name);
    expect([...new Set(listed)].sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  test("links to files that exist", () => {
    for (const file of ["README.md", "docs/hmge.md", "docs/architecture.md", "docs/dependencies.md"]) {
      const targets = [...readText(file).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target);
      const folder = file.includes("/") ? "docs" : "";
      expect(targets.filter((target) => !existsSync(join(root, folder, target)))).toEqual([]);
    }
  });
});

test("the options in docs/ and the models of the README are those of the definitions", () => {
  execFileSync(process.execPath, [join(root, "scripts/document-models.mjs"), "--check"]);
});

describe("examples", () => {
  test.each(readdirSync(join(root, "examples")))("%s runs and says something", (file) => {
    expect(execFileSync(process.execPath, [join(root, "examples", file)], { encoding: "utf8" })).not.toBe("");
  });
});
