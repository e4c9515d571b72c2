/** The package as a user gets it: packed, installed into an empty folder, and used there. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namingConsumers } from "./support/declarations.js";
import { libraryExample, smallEdgeFile } from "./support/readme.js";
import { root } from "./support/repository.js";

/** Packing, and an installation whose packages may have to come from far away. */
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

describe("the packed package", () => {
  const folder = mkdtempSync(join(tmpdir(), "hmge-package-"));
  const files: string[] = [];
  // npm test hands its own settings down; a user's shell has none of them
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/i.test(name)));
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

  test("holds what users need and nothing else", () => {
    const outside = files.filter((path) => !/^(dist|docs|examples)\//.test(path)).sort();
    expect(outside).toEqual(["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "package.json"]);
    const inside = files.filter((path) => path.startsWith("dist/"));
    expect(inside.filter((path) => !/\.(js|d\.ts)$/.test(path))).toEqual([]);
    expect(inside.filter((path) => /\.test\.|\/test-|\/assembly\//.test(path))).toEqual([]);
    const kernels = ["plain", "relaxed"].map((simd) => `dist/engine/wasm/generated/kernels-${simd}.js`);
    for (const path of ["dist/index.js", "dist/index.d.ts", "dist/io/index.d.ts", "dist/cli/main.js", ...kernels]) {
      expect(inside).toContain(path);
    }
  });

  test("has all that its README refers to", () => {
    const links = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)].map(
      ([, path]) => path,
    );
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
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

  test("runs the lines of the README", () => {
    writeFileSync(join(folder, "example.js"), libraryExample());
    execFileSync(process.execPath, ["example.js"], { cwd: folder, env });
    expect(readFileSync(join(folder, "vectors.parquet")).subarray(0, 4).toString()).toBe("PAR1");
  });

  test("trains a model of one's own, as the example does", () => {
    const example = readFileSync(join(root, "examples/own-model.mjs"), "utf8");
    writeFileSync(join(folder, "own-model.mjs"), example);
    const said = execFileSync(process.execPath, ["own-model.mjs"], { cwd: folder, env, encoding: "utf8" });
    const [, first, last] = /loss ([\d.]+) at first, ([\d.]+) at last/.exec(said) ?? [];
    expect(Number(last)).toBeLessThan(Number(first));
  });

  test("has types that hold under nodenext, its own declarations checked as well", () => {
    writeFileSync(join(folder, "consumer.ts"), CONSUMER);
    const compilerOptions = { module: "nodenext", strict: true, skipLibCheck: false, noEmit: true, types: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8", env });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });

  test("has a name for every type, so that declarations can be written of what it is used for", () => {
    const consumers = namingConsumers();
    // one at a time: where another entry is read as well, a name that only it has would do
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
