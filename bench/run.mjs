/** Runs a TypeScript bench against the sources: bundles it in memory with vite's transformer and imports it. */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const [script, ...rest] = process.argv.slice(2);
process.argv = [process.argv[0], resolve(script), ...rest];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const server = await createServer({ root, configFile: false, logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false } });
await server.ssrLoadModule(resolve(script));
await server.close();
