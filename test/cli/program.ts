/** Runs the built program as a process. */

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { Rng } from "../../src/core/rng.js";

export const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  /** Called when the process has started, with a function that sends it a signal. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called at the first text on standard error. */
  readonly onFirstText?: (kill: (signal: NodeJS.Signals) => void) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the folder of this process. */
  readonly cwd?: string;
}

export function hmge(words: readonly string[], { onStart, onFirstText, env, cwd }: StartOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd,
      env: { ...process.env, LC_ALL: "C.UTF-8", ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr === "") onFirstText?.((signal) => child.kill(signal));
      stderr += text;
    });
    onStart?.((signal) => child.kill(signal));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hmge-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function listFolder(folder: string): string[] {
  return readdirSync(folder).sort();
}

/** Writes a CSV of two communities in three relations; returns its path. */
export function writeSmallGraph(folder: string, { nodes = 60, perRelation = 200, name = "edges.csv" } = {}): string {
  const rng = new Rng(5, "small graph");
  const lines = ["source,target,relation,weight"];
  for (const relation of ["friend", "colleague", "neighbour"]) {
    for (let k = 0; k < perRelation; k++) {
      const a = rng.below(nodes);
      const b = rng.uniform() < 0.8 ? (a + 2 * rng.below(nodes / 2)) % nodes : rng.below(nodes);
      lines.push(`p${a},p${b},${relation},${1 + rng.below(3)}`);
    }
  }
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}
