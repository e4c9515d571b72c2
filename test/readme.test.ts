import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
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

  test("is short", () => {
    expect(readText("README.md").length).toBeLessThan(6000);
  });

  test("links to files that exist", () => {
    const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join("docs", name));
    for (const file of ["README.md", "CONTRIBUTING.md", ...documents]) {
      const targets = [...readText(file).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]+)[^)"]*[)"]/g)].map(
        ([, target]) => target,
      );
      expect(targets.filter((target) => !existsSync(join(root, dirname(file), target)))).toEqual([]);
    }
  });
});

test("docs/models.md and docs/commands.md are those of the definitions", () => {
  execFileSync(process.execPath, [join(root, "scripts/document-models.mjs"), "--check"]);
});

describe("examples", () => {
  test.each(readdirSync(join(root, "examples")))("%s runs and says something", (file) => {
    expect(execFileSync(process.execPath, [join(root, "examples", file)], { encoding: "utf8" })).not.toBe("");
  });
});
