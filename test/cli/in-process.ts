/** Runs the program or one of its commands in this process, which saves the start of a process. */

import type { Command } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { parseArguments } from "../../src/cli/options/parse-arguments.js";
import { runProgram } from "../../src/cli/program.js";
import type { Output } from "../../src/cli/terminal/output.js";

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs `hmge WORDS` by the function that the program itself calls, and captures its exit code and both streams. Calls that overlap
 * run one after the other, because a process has only one pair of streams. Commands that train use one thread unless the words
 * name another number.
 */
export function hmgeInProcess(words: readonly string[]): Promise<ProgramResult> {
  const result = lastRun.then(async () => captureProgram(await withOneThread(words)));
  lastRun = result.catch(() => {});
  return result;
}

/**
 * Adds `--threads 1` to a command that has this option. Test files run at the same time, and threads of two of them would wait for
 * each other's cores: five epochs of a small graph take four times the CPU time. The vectors are the same for any number of threads.
 */
async function withOneThread(words: readonly string[]): Promise<readonly string[]> {
  const command = await commands.find(({ name }) => name === words[0])?.load();
  // --model-from trains nothing, so it refuses --threads
  const unsuitable = words.some((word) => /^--(threads|help|model-from)\b/.test(word));
  return command === undefined || unsuitable || !("threads" in command.options) ? words : [...words, "--threads", "1"];
}

async function captureProgram(words: readonly string[]): Promise<ProgramResult> {
  const { stdout, stderr, env } = process;
  const [writeOut, writeErr, locale] = [stdout.write, stderr.write, env["LC_ALL"]];
  const text = { stdout: "", stderr: "" };
  const capture = (name: keyof typeof text) => (chunk: string | Uint8Array) => {
    text[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  stdout.write = capture("stdout");
  stderr.write = capture("stderr");
  env["LC_ALL"] = "C.UTF-8";
  try {
    return { code: await removingHandlers(() => runProgram(words)), ...text };
  } finally {
    stdout.write = writeOut;
    stderr.write = writeErr;
    if (locale === undefined) delete env["LC_ALL"];
    else env["LC_ALL"] = locale;
  }
}

/** The document that `hmge WORDS --json` prints. Throws unless the program succeeds. */
export async function documentOf(words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await hmgeInProcess(words.includes("--json") ? words : [...words, "--json"]);
  if (code !== 0) throw new Error(`${words.join(" ")}: exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/**
 * The message with which `hmge WORDS` refuses its input, without "hmge: ". Throws unless the exit code is 2, standard output is empty
 * and standard error ends with this one line. Only notes may come before it, and none with `--quiet`.
 */
export async function refusalOf(words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await hmgeInProcess(words);
  const lines = stderr.split("\n");
  const last = lines.at(-2) ?? "";
  const numRefusals = lines.filter((line) => line.startsWith("hmge: ")).length;
  const isOneLine = last.startsWith("hmge: ") && numRefusals === 1 && lines.at(-1) === "";
  const isQuiet = lines.length === 2 || !words.includes("--quiet");
  if (code !== 2 || stdout !== "" || !isOneLine || !isQuiet) {
    throw new Error(`${words.join(" ")}: not refused in one line, but exit code ${code}\n${stdout}${stderr}`);
  }
  return last.slice("hmge: ".length);
}

export interface CommandResult {
  readonly code: number;
  /** Printed lines and notes. */
  readonly text: string;
  readonly document: unknown;
}

/** Runs a command without the program around it: gives both its text and its document, which the program never prints together. */
export async function runCommand(command: Command, words: readonly string[]): Promise<CommandResult> {
  const lines: string[] = [];
  let document: unknown;
  const parsed = parseArguments(command, words);
  const quiet = parsed.flags.has("quiet");
  const same = (text: string) => text;
  const output: Output = {
    json: false,
    quiet,
    ascii: false,
    columns: 80,
    print: (text) => void lines.push(text),
    document: (value) => {
      document = value;
    },
    note: (text) => {
      if (!quiet) lines.push(text);
    },
    style: { bold: same, dim: same, accent: same },
  };
  const code = (await removingHandlers(() => command.run(parsed, output))) ?? 0;
  return { code, text: lines.join("\n"), document };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes the signal handlers that a failed command leaves behind, because it expects its process to end. */
async function removingHandlers<T>(work: () => Promise<T>): Promise<T> {
  const before = SIGNALS.map((signal) => process.listeners(signal));
  try {
    return await work();
  } finally {
    SIGNALS.forEach((signal, i) => {
      for (const handler of process.listeners(signal)) if (!before[i].includes(handler)) process.off(signal, handler);
    });
  }
}
