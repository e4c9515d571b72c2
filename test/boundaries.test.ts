import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { brokenRules, cycles, importsOf, packagesOf, type Rules, readImports, sourceFiles } from "./support/imports.js";
import { readManifest, readText, root } from "./support/repository.js";

const PARTS = [
  "core",
  "numeric",
  "graph",
  "engine",
  "nn",
  "models",
  "train",
  "tasks",
  "report",
  "sniff",
  "io",
  "cluster",
  "experiments",
  "explore",
  "cli",
];

const RULES: Rules = {
  allowed: {
    core: [],
    numeric: ["core"],
    graph: ["core", "numeric"],
    engine: ["core", "numeric"],
    nn: ["core", "numeric", "engine"],
    models: ["core", "numeric", "nn", "engine", "graph"],
    train: ["core", "numeric", "nn", "engine", "graph"],
    tasks: ["core", "numeric", "nn", "engine", "graph"],
    report: ["core", "numeric"],
    sniff: ["core", "numeric"],
    io: ["core", "numeric", "graph", "sniff"],
    cluster: ["core", "engine"],
    experiments: ["core", "numeric", "graph", "engine", "nn", "train", "tasks", "report", "sniff", "io"],
    explore: ["surface"],
    cli: [...PARTS, "surface"],
    surface: PARTS,
  },
  pure: ["core", "numeric", "graph", "engine", "nn", "models", "train", "tasks", "report", "sniff", "explore"],
  dynamicPackages: ["report"],
  bundled: ["explore"],
};

/** Source files of a folder; more want sub-folders. */
const MAX_FILES = 15;
/** Folders that hold one file for each of many alike things. */
const CATALOGUES = ["engine/ops", "engine/wasm/assembly", "report/charts"];

/** AssemblyScript: other import paths, and kernels import nothing from outside their folder. */
const ASSEMBLY = "engine/wasm/assembly/";

describe("the sources", () => {
  const src = join(root, "src");
  const imports = readImports(src, (path) => path.startsWith(ASSEMBLY));

  test("import only from parts that theirs may import", () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(brokenRules(imports, RULES)).toEqual([]);
  });

  test("have no cycles, type-only imports included", () => {
    expect(cycles(imports, ["static", "type"])).toEqual([]);
  });

  test("have no cycles in core, numeric, graph and cli, dynamic imports included", () => {
    const own = imports.filter(({ from }) => /^(core|numeric|graph|cli)\//.test(from));
    expect(own.length).toBeGreaterThan(100);
    expect(cycles(own, ["static", "type", "dynamic"])).toEqual([]);
  });

  test("import files that exist", () => {
    const generated = ["kernel-names", "kernels-plain", "kernels-relaxed"].map(
      (name) => `engine/wasm/generated/${name}.ts`,
    );
    const files = new Set([
      ...sourceFiles(src),
      ...generated,
      "engine/webgpu/generated/kernels.ts",
      "nn/row-threads/generated/row-thread-source.ts",
    ]);
    expect(imports.filter(({ local, to }) => local && !files.has(to))).toEqual([]);
  });

  test("of kernels import only other kernels", () => {
    const kernels = readImports(src, (path) => !path.startsWith(ASSEMBLY));
    expect(kernels.length).toBeGreaterThan(10);
    expect(kernels.filter(({ local, to }) => !local || !to.startsWith(ASSEMBLY))).toEqual([]);
  });

  test("use exactly the runtime dependencies that the package declares", () => {
    const installed = imports.filter(({ from }) => !from.startsWith("explore/"));
    const { dependencies, optionalDependencies } = readManifest();
    expect(packagesOf(installed)).toEqual(Object.keys({ ...dependencies, ...optionalDependencies }).sort());
  });

  test("import optional dependencies only when they are needed", () => {
    const { optionalDependencies } = readManifest();
    const optional = imports.filter(({ to, kind }) => to in optionalDependencies && kind !== "dynamic");
    expect(optional).toEqual([]);
  });

  test("of cluster know only the interface of the engine, and only cli imports them", () => {
    const isCluster = (path: string) => path.startsWith("cluster/");
    const engine = imports.filter(({ from, to }) => isCluster(from) && to.startsWith("engine/"));
    expect([...new Set(engine.map(({ to }) => to))]).toEqual(["engine/ranks.ts"]);
    const importers = imports.filter(({ from, to }) => isCluster(to) && !isCluster(from));
    expect(importers.filter(({ from }) => !from.startsWith("cli/"))).toEqual([]);
  });

  test("of an engine are known to create-engine.ts only", () => {
    const isOwn = (path: string) => /^engine\/(wasm|webgpu)\//.test(path);
    const importers = imports.filter(({ from, to }) => isOwn(to) && !isOwn(from));
    expect([...new Set(importers.map(({ from }) => from))]).toEqual(["engine/create-engine.ts"]);
  });

  test("of the page use packages that are bundled, so users do not install them", () => {
    const bundled = packagesOf(imports.filter(({ from }) => from.startsWith("explore/")));
    const { dependencies, devDependencies } = readManifest();
    expect(bundled.filter((name) => name in dependencies || !(name in devDependencies))).toEqual([]);
  });

  test("have at most fifteen files in a folder", () => {
    const counts = new Map<string, number>();
    for (const path of sourceFiles(src)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const full = [...counts].filter(([folder, count]) => count > MAX_FILES && !CATALOGUES.includes(folder));
    expect(full).toEqual([]);
  });

  test("have at most 300 lines each", () => {
    const long = sourceFiles(src)
      .map((path) => ({ path, lines: readText(`src/${path}`).trimEnd().split("\n").length }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });
});

describe("the checker", () => {
  test("reads every form of import", () => {
    const source = [
      'import { a } from "../core/a.js";',
      "import {",
      "  b,",
      "  type C,",
      '} from "./b.js";',
      'import type { D } from "./d.js";',
      'export * from "./e.js";',
      'export type { F } from "./f.js";',
      'import "./g.js";',
      'import * as fs from "node:fs";',
      'const { x } = await import("node:os");',
      '// import { no } from "./comment.js";',
      '/* import { no } from "./block.js"; */',
      'const text = `require("node:no")`;',
    ].join("\n");
    expect(importsOf("nn/x.ts", source).map(({ to, kind }) => `${kind} ${to}`)).toEqual([
      "static core/a.ts",
      "static nn/b.ts",
      "type nn/d.ts",
      "static nn/e.ts",
      "type nn/f.ts",
      "static nn/g.ts",
      "static node:fs",
      "dynamic node:os",
    ]);
  });

  test("reports exactly the faults of a small tree", () => {
    const tree = {
      "index.ts": 'export { train } from "./train/train.js";\n',
      "core/errors.ts": 'import { Graph } from "../graph/graph.js";\n',
      "graph/graph.ts": 'import { readFile } from "node:fs/promises";\nimport type { Late } from "./late.js";\n',
      "graph/late.ts": 'import { graph } from "./graph.js";\n',
      "graph/graph.test.ts": 'import { anything } from "../cli/main.js";\n',
      "engine/a.ts": 'import { b } from "./b.js";\nconst os = await import("node:os");\n',
      "engine/b.ts": 'import { c } from "./c.js";\n',
      "engine/c.ts": 'import { a } from "./a.js";\n',
      "nn/layer.ts": 'import { a } from "../engine/a.js";\nimport type { G } from "../graph/graph.js";\n',
      "models/m.ts": 'import { train } from "../train/train.js";\nconst os = await import("node:os");\n',
      "train/train.ts": 'import { big } from "big/part";\nimport { tiny } from "@scope/tiny";\n',
      "report/chart.ts": 'const { plot } = await import("plot");\nconst os = await import("node:os");\n',
      "report/page.ts": 'import { plot } from "plot";\n',
      "odd/thing.ts": 'import { e } from "../core/errors.js";\n',
    };
    const folder = mkdtempSync(join(tmpdir(), "hmge-imports-"));
    try {
      for (const [path, source] of Object.entries(tree)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), source);
      }
      const imports = readImports(folder);
      expect(brokenRules(imports, RULES).map((line) => line.split(";")[0])).toEqual([
        "core/errors.ts: imports graph/graph.ts",
        "engine/a.ts: imports node:os",
        "graph/graph.ts: imports node:fs/promises",
        "models/m.ts: imports train/train.ts",
        "models/m.ts: imports node:os",
        "nn/layer.ts: imports graph/graph.ts",
        'odd/thing.ts: the part "odd" has no rule',
        "report/chart.ts: imports node:os",
        "report/page.ts: imports plot",
        "train/train.ts: imports big/part",
        "train/train.ts: imports @scope/tiny",
      ]);
      expect(cycles(imports)).toEqual(["engine/a.ts → engine/b.ts → engine/c.ts → engine/a.ts"]);
      expect(packagesOf(imports)).toEqual(["@scope/tiny", "big", "plot"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
