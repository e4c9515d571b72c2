#!/usr/bin/env node
/** The program as it is started: handles streams that may close, then runs the command line. */

import { readLaunch } from "../cluster/launch.js";
import { runProgram } from "./program.js";
import { endProcess } from "./terminal/end-process.js";
import { goOnUnderNohup } from "./terminal/interrupt.js";
import { writeError } from "./terminal/output.js";

// If the reader is gone, such as head or a closed terminal, the work continues: it may write files.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || (error.code === "EIO" && process.stdout.isTTY)) return;
  writeError(`hmge: standard output: ${error.message}\n`);
  process.exit(2);
});
// Standard error carries only notes and progress; a run continues without them.
process.stderr.on("error", () => {});

// mpirun of Open MPI gives ranks a terminal of its own, while its output may be a file
if (readLaunch() !== undefined) process.stdout.isTTY = false;

goOnUnderNohup();
process.exitCode = await runProgram(process.argv.slice(2));
await endProcess();
