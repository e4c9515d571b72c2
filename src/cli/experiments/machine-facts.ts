/** What a record says about where and with what its numbers were made. */

import { availableParallelism, cpus, totalmem } from "node:os";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import type { Arguments } from "../command.js";

export interface RecordHead {
  readonly command: string;
  readonly date: string;
  readonly version: string;
  readonly engine: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly platform: string;
    readonly node: string;
  };
}

export function recordHead(name: string, given: Arguments, engine: Engine): RecordHead {
  return {
    command: commandLine(name, given),
    date: new Date().toISOString(),
    version: VERSION,
    engine: engine.description,
    machine: {
      cpu: cpus().at(0)?.model.trim() || process.arch,
      cores: availableParallelism(),
      memoryBytes: totalmem(),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
    },
  };
}

/** The command as one could type it again, but for how it is shown. */
function commandLine(name: string, { words, options }: Arguments): string {
  const quote = (word: string) => (/^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
  const flags = [...options]
    .filter(([option]) => !["json", "quiet", "debug"].includes(option))
    .flatMap(([option, values]) =>
      values.map((value) => (value === "true" ? `--${option}` : `--${option} ${quote(value)}`)),
    );
  return ["hmge", name, ...words.map(quote), ...flags].join(" ");
}
