/**
 * Builds dist/: kernels, then JavaScript with types, then the page of the explorer. Does nothing if dist/ was built from these sources, except with --force.
 * The new folder replaces the old one when it is complete.
 */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildKernels } from "./build-kernels.mjs";
import { buildPage } from "./build-page.mjs";
import { buildShaders } from "./build-shaders.mjs";
import { buildThreads } from "./build-threads.mjs";
import { exitOnSetupError, fingerprint, isBuilt, root, runToStderr, sourceFingerprint, withLock } from "./setup.mjs";

const GENERATED = "src/engine/wasm/generated";
const force = process.argv.includes("--force");

async function build() {
  if (isBuilt() && !force) return;
  const stamp = sourceFingerprint();
  await ensureKernels();
  buildShaders();
  await buildThreads();

  const fresh = join(root, "build/dist");
  const old = join(root, "build/dist-old");
  rmSync(fresh, { recursive: true, force: true });
  runToStderr(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    ...["-p", "tsconfig.build.json", "--outDir", fresh],
  ]);
  chmodSync(join(fresh, "cli/main.js"), 0o755);
  await buildPage(join(fresh, "explore-page"));
  writeFileSync(join(fresh, ".built"), stamp);

  const dist = join(root, "dist");
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(dist, old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

/** Compiles the kernels if their sources changed since the last compilation, which takes most of the time of a build. */
async function ensureKernels() {
  const stamp = join(root, GENERATED, ".built");
  const wanted = fingerprint(
    ["scripts/build-kernels.mjs", "src/engine/wasm/assembly", "node_modules/assemblyscript/package.json"],
    (name) => name === "dispatch.ts",
  );
  try {
    if (readFileSync(stamp, "utf8") === wanted && !force) return;
  } catch {}
  rmSync(stamp, { force: true });
  await buildKernels();
  writeFileSync(stamp, wanted);
}

await exitOnSetupError(() => withLock(build));
