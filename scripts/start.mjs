/** `npm start -- ARGS`: the program itself, set up first if need be; without arguments the demo. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...process.argv.slice(2)], { stdio: "inherit" });
// Ctrl-C reaches the program through the terminal as well; it decides how to end
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
