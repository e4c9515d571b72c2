/**
 * The demonstration: makes an invented town, writes its edges as a CSV file, embeds that file with `hmge embed`, and
 * tells what came out. What it shows is what a user's own file would give.
 */

import { join } from "node:path";
import { type Arguments, type Command, switchOption, textOption } from "../command.js";
import { parseArguments } from "../options/parse-arguments.js";
import { createOutput, type Output } from "../terminal/output.js";

const FOLDER = "hmge-demo";

export const demo: Command = {
  name: "demo",
  usage: "[--out DIR] [--seed N]",
  summary: "embed an invented town and look at the result; what hmge does without arguments",
  options: [
    {
      name: "out",
      value: "DIR",
      doc: "folder for the town and its vectors; an earlier demo there is replaced",
      default: FOLDER,
    },
    { name: "seed", value: "N", doc: "another seed, another town", default: "1" },
  ],
  examples: ["", "--seed 7 --out other-town"],
  run: async (given, output) => {
    const { runTown } = await import("./demo-run.js");
    return runTown({ out: textOption(given, "out") ?? FOLDER, seed: textOption(given, "seed") ?? "1" }, output);
  },
};

/** `hmge` without a command. */
export async function runDemo(words: readonly string[]): Promise<number | undefined> {
  const given: Arguments = parseArguments(demo, words);
  const output: Output = createOutput({ json: switchOption(given, "json"), quiet: switchOption(given, "quiet") });
  return demo.run(given, output);
}

/** Files of the demonstration. */
export function demoFiles(out: string) {
  return { edges: join(out, "edges.csv"), people: join(out, "people.csv"), vectors: join(out, "vectors") };
}
