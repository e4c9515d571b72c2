/** Builds dist/: kernels, JavaScript with types, and the kernels beside it. */
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildKernels } from "./build-kernels.mjs";
import { root, runQuietly } from "./setup.mjs";

await buildKernels();
rmSync(join(root, "dist"), { recursive: true, force: true });
runQuietly(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"]);
const from = join(root, "src/engine/wasm/generated");
const to = join(root, "dist/engine/wasm/generated");
mkdirSync(to, { recursive: true });
for (const file of readdirSync(from)) if (file.endsWith(".wasm")) cpSync(join(from, file), join(to, file));
chmodSync(join(root, "dist/cli/main.js"), 0o755);
writeFileSync(join(root, "dist/.built"), new Date().toISOString());
