/** `hmge models`: the models and their options. */

import { InputError } from "../core/errors.js";
import type { Model } from "../nn/model.js";
import { table } from "../report/terminal.js";
import type { Command } from "./command.js";
import { describeModels, findModel, loadModels, modelTraits } from "./options/model-options.js";
import { wrap } from "./terminal/help.js";
import { type Output, tableLayout } from "./terminal/output.js";

export const models: Command = {
  usage: "[NAME|FILE…]",
  options: {},
  examples: ["", "dmgi", "hmge --json", "./my-model.mjs"],
  async run({ words }, output) {
    if (words.some((word) => word.trim() === "")) throw new InputError("models: an empty name; expected a model.");
    const chosen = words.length === 0 ? await loadModels() : await Promise.all(words.map(findModel));
    output.print(words.length === 0 ? modelsOverview(chosen, output) : describeModels(chosen));
    output.document(
      chosen.map((model) => {
        const { name, paper, year, summary, cost, uses = [], training, presets, options } = model;
        return {
          name,
          paper,
          year,
          summary,
          cost,
          uses,
          vectorsPerRelation: model.relationVectors !== undefined,
          training,
          presets,
          options: Object.entries(options).map(([option, { default: value, accepts, doc }]) => {
            return { name: option, default: value, accepts, doc };
          }),
        };
      }),
    );
    return 0;
  },
};

/** A table of the models, then a paragraph for each. */
export function modelsOverview(
  all: readonly Model[],
  { ascii, columns, style }: Pick<Output, "ascii" | "columns" | "style">,
): string {
  const rows = all.map((model) => [model.name, String(model.year), modelTraits(model).join(", "), model.cost]);
  const lines = all.flatMap(({ name, paper, summary }) => [
    style.bold(name),
    ...wrap(summary, columns - 2).map((line) => `  ${line}`),
    ...wrap(paper, columns - 2).map((line) => `  ${line}`),
  ]);
  return [
    table(
      [["model", "year", "inputs and outputs", "multiply-adds of an epoch"], ...rows],
      tableLayout({ ascii, columns }),
    ),
    "",
    "n nodes, D relations, nnz stored entries of all relations; other names are options of the model",
    "",
    ...lines,
    "",
    "hmge models NAME lists the options and presets of a model",
  ].join("\n");
}
