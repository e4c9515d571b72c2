/** The package as a user gets it: packed, installed into an empty folder, and used there. */

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEmbeddings } from "../src/io/index.js";
import { namingConsumers } from "./support/declarations.js";
import { libraryExample, localLinks, smallEdgeFile } from "./support/markdown.js";
import { readText, root } from "./support/repository.js";

/** Limit for packing and for an installation that may download packages. */
const INSTALL_MILLISECONDS = 180_000;

const CONSUMER = `import { describeGraph, type Embedding, hmge, multiplexFromEdges, type Run, train } from "hmge";
import { type LoadedGraph, loadGraph } from "hmge/io";
import { matmul, type Model, type Tensor } from "hmge/model";
const graph: LoadedGraph = await loadGraph("edges.csv", { directed: false });
const run: Run = await train(graph, hmge, { dim: 8, epochs: 3, aggregation: "attention" });
const embedding: Embedding = run.embedding;
// @ts-expect-error an option the model does not have
await train(multiplexFromEdges({ source: ["a"], target: ["b"] }), hmge, { dims: 8 });
const weight: Tensor | undefined = undefined;
export const own: Pick<Model, "name"> & { weight: typeof weight; layer: typeof matmul } = { name: "own", weight, layer: matmul };
export const answer: [number, number] = [embedding.vectors.length, describeGraph(graph).nodes];
`;

/** Passes objects of a browser's WebGPU. */
const GPU_CONSUMER = `import { createEngine, type Engine } from "hmge";
export const own = async (adapter: GPUAdapter, device: GPUDevice): Promise<Engine> => createEngine("webgpu", { adapter, device });
// @ts-expect-error not an adapter
await createEngine("webgpu", { adapter: "high-performance" });
`;

describe("the packed package", () => {
  const folder = mkdtempSync(join(tmpdir(), "hmge-package-"));
  const files: string[] = [];
  // npm and vitest set variables that a user's shell does not have
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|HMGE_)/i.test(name)),
  );
  const npm = (args: readonly string[], cwd: string) => {
    const script = process.env["npm_execpath"];
    const options = { cwd, encoding: "utf8", env, stdio: "pipe" } as const;
    return script?.endsWith(".js")
      ? execFileSync(process.execPath, [script, ...args], options)
      : execFileSync("npm", args, { ...options, shell: process.platform === "win32" });
  };
  const hmge = (...args: string[]) => {
    const program = join(folder, "node_modules/hmge/dist/cli/main.js");
    return spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: "utf8", env });
  };

  beforeAll(() => {
    const [packed] = JSON.parse(npm(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root)) as [
      { filename: string; files: { path: string }[] },
    ];
    files.push(...packed.files.map(({ path }) => path));
    writeFileSync(join(folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
    writeFileSync(join(folder, "edges.csv"), smallEdgeFile());
    npm(["install", `./${basename(packed.filename)}`, "--no-audit", "--no-fund", "--prefer-offline"], folder);
  }, INSTALL_MILLISECONDS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("holds only files that users need", () => {
    const outside = files.filter((path) => !/^(dist|docs|examples)\//.test(path)).sort();
    expect(outside).toEqual(["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "package.json"]);
    const inside = files.filter((path) => path.startsWith("dist/"));
    expect(inside.filter((path) => !/\.(js|d\.ts)$/.test(path))).toEqual(["dist/explore-page/index.html"]);
    expect(inside.filter((path) => /\.test\.|\/test-|\/assembly\//.test(path))).toEqual([]);
    const kernels = ["plain", "relaxed"].map((simd) => `dist/engine/wasm/generated/kernels-${simd}.js`);
    for (const path of ["dist/index.js", "dist/index.d.ts", "dist/io/index.d.ts", "dist/cli/main.js", ...kernels]) {
      expect(inside).toContain(path);
    }
  });

  test("has every file that its README links to", () => {
    const links = localLinks(readText("README.md")).map((link) => link.split("#")[0]);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((path) => !files.some((file) => file === path || file.startsWith(path)))).toEqual([]);
  });

  test("has a program that npx finds", () => {
    expect(npm(["exec", "--no", "--", "hmge", "--help"], folder)).toMatch(/^hmge \d.*\n[\s\S]*\bembed\b/);
  });

  test("embeds a small file", () => {
    const { status, stdout, stderr } = hmge(
      "embed",
      "edges.csv",
      "--out",
      "out",
      "--epochs",
      "20",
      "--json",
      "--quiet",
    );
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ epochs: 20, graph: { nodes: 12, edges: 24 } });
    for (const file of ["embeddings.parquet", "model.safetensors", "run.json"]) {
      expect(existsSync(join(folder, "out", file))).toBe(true);
    }
  });

  test("runs the library example of the README", async () => {
    writeFileSync(join(folder, "example.js"), libraryExample());
    execFileSync(process.execPath, ["example.js"], { cwd: folder, env });
    const { ids, dim } = await readEmbeddings(join(folder, "vectors.parquet"));
    expect(ids).toContain("Ada");
    expect(dim).toBe(64);
  });

  test.each(readdirSync(join(root, "examples")))("runs examples/%s, which prints something", (name) => {
    copyFileSync(join(root, "examples", name), join(folder, name));
    const printed = execFileSync(process.execPath, [name], { cwd: folder, env, encoding: "utf8" });
    expect(printed).not.toBe("");
    if (name !== "own-model.mjs") return;
    const [, first, last] = /loss ([\d.]+) at first, ([\d.]+) at last/.exec(printed) ?? [];
    expect(Number(last)).toBeLessThan(Number(first));
  });

  test("has declarations that compile under nodenext, without skipLibCheck", () => {
    writeFileSync(join(folder, "consumer.ts"), CONSUMER);
    writeFileSync(join(folder, "gpu.ts"), GPU_CONSUMER);
    // without lib, TypeScript includes the types of browsers; types: [] leaves out those of Node
    for (const [file, libraries] of [
      ["consumer.ts", {}],
      ["consumer.ts", { target: "es2022", lib: ["es2022"] }],
      ["gpu.ts", {}],
    ] as const) {
      const checks = { module: "nodenext", strict: true, skipLibCheck: false, noEmit: true, types: [] };
      const compilerOptions = { ...checks, ...libraries };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8", env });
      expect(stdout).toBe("");
      expect(status).toBe(0);
    }
  });

  test("exports a name for every type, so that users can emit declarations", () => {
    const consumers = namingConsumers();
    // one entry at a time, so that no entry borrows a name that only another one exports
    for (const [name, text] of consumers) {
      writeFileSync(join(folder, `${name}.ts`), text);
      const compilerOptions = {
        module: "nodenext",
        strict: true,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: "declared",
        types: [],
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      expect(spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8", env }).stdout).toBe("");
      expect(existsSync(join(folder, "declared", `${name}.d.ts`))).toBe(true);
    }
  });
});
