/**
 * Runs a bench: `node bench/run.mjs against-pytorch`. The first argument is the name or the path of a bench; the others are passed on to
 * the bench. Benches import the TypeScript sources, which vite compiles in memory.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const [name = "", ...benchArguments] = process.argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const benches = readdirSync(resolve(root, "bench")).filter((file) => file.endsWith(".ts") && !["options.ts", "labelled-runs.ts"].includes(file)).map((file) => file.slice(0, -3));
if (!existsSync(name) && !benches.includes(name)) {
  console.error(`bench: ${name === "" ? "no name given" : `unknown bench "${name}"`}; expected a path, or one of ${benches.join(", ")}.`);
  process.exit(2);
}
const script = existsSync(name) ? resolve(name) : resolve(root, "bench", `${name}.ts`);
process.argv = [process.argv[0], script, ...benchArguments];
const server = await createServer({ root, configFile: false, logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false } });
await server.ssrLoadModule(script);
await server.close();
