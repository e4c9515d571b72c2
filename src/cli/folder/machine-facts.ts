/** The part of a record about command, version, engine and machine. */

import { availableParallelism, cpus, totalmem } from "node:os";
import type { RecordHead, RunRecord } from "../../core/record.js";
import { shellWord } from "../../core/text.js";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import type { Arguments } from "../command.js";

export function recordHead(name: string, args: Arguments, engine: Engine): RecordHead {
  return {
    command: commandLine(name, args),
    date: new Date().toISOString(),
    version: VERSION,
    engine: engine.description,
    machine: machineFacts(),
  };
}

export function machineFacts(): RunRecord["machine"] {
  return {
    cpu: cpus().at(0)?.model.trim() || process.arch,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

/** Flags that change only the output. */
const OUTPUT_FLAGS = ["json", "quiet", "debug"];

/** The command as a line for a POSIX shell, without flags that change only the output. */
export function commandLine(command: string, { words, flags }: Arguments): string {
  const options = [...flags]
    .filter(([name]) => !OUTPUT_FLAGS.includes(name))
    .flatMap(([name, values]) =>
      values.map((value) => (value === "true" ? `--${name}` : `--${name} ${shellWord(value)}`)),
    );
  return ["hmge", command, ...words.map(shellWord), ...options].join(" ");
}
