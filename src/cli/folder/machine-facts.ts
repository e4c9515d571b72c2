/** What a record says about where and with what its numbers were made. */

import { availableParallelism, cpus, totalmem } from "node:os";
import type { RecordHead, RunRecord } from "../../core/record.js";
import { shellWord } from "../../core/text.js";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import type { Arguments } from "../command.js";

export function recordHead(name: string, given: Arguments, engine: Engine): RecordHead {
  return {
    command: commandLine(name, given),
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

/** How a command shows what it does, not what it does. */
const OF_OUTPUT = ["json", "quiet", "debug"];

/** The command as a POSIX shell would take it again, but for how it is shown. */
export function commandLine(command: string, { words, flags }: Arguments): string {
  const named = [...flags]
    .filter(([name]) => !OF_OUTPUT.includes(name))
    .flatMap(([name, values]) =>
      values.map((value) => (value === "true" ? `--${name}` : `--${name} ${shellWord(value)}`)),
    );
  return ["hmge", command, ...words.map(shellWord), ...named].join(" ");
}
