/**
 * Runs a TypeScript bench against the sources: bundles it in memory with vite's transformer and imports it. A bench is
 * named by its file, or by its name alone: `node bench/run.mjs against-pytorch`.
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const [name = "", ...rest] = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const script = existsSync(name) ? resolve(name) : resolve(root, "bench", `${name}.ts`);
process.argv = [process.argv[0], script, ...rest];
const server = await createServer({ root, configFile: false, logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false } });
await server.ssrLoadModule(script);
await server.close();
