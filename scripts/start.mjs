/** `npm start -- ARGS`: installs and builds if needed, then runs the program; without arguments it runs the demo. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, exitOnSetupError, root } from "./setup.mjs";

await exitOnSetupError(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
  // npm changes to the project's folder; paths are relative to the user's folder
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
// The terminal sends Ctrl-C to the program as well, which decides how to end. A SIGTERM to this process is passed on.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => {
  console.error(`hmge: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128 + constants.signals[signal])));
