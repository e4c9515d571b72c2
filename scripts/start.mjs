/** `npm start -- ARGS`: the program itself, set up first if need be; without arguments the demo. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, orExit, root } from "./setup.mjs";

await orExit(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
  // npm changes to the project's folder; paths are meant from where the user stands
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
// Ctrl-C reaches the program through the terminal; it decides how to end. A signal sent to us alone is passed on.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => {
  console.error(`hmge: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128 + constants.signals[signal])));
