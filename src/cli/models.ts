/** `hmge models`: what can be trained. */

import { InputError } from "../core/errors.js";
import type { Command } from "./command.js";
import { describeModels, findModel, loadModels } from "./model-options.js";

export const models: Command = {
  name: "models",
  usage: "[NAME…]",
  summary: "list the models with their papers, presets and options",
  options: [],
  examples: ["", "hmge --json"],
  async run({ words }, output) {
    if (words.some((word) => word.trim() === "")) throw new InputError("models: an empty name; expected a model.");
    const chosen = words.length === 0 ? await loadModels() : await Promise.all(words.map(findModel));
    output.print(await describeModels(chosen));
    output.document(
      chosen.map(({ name, paper, summary, training, presets, options }) => ({
        name,
        paper,
        summary,
        training,
        presets,
        options: Object.entries(options).map(([option, { default: value, accepts, doc }]) => {
          return { name: option, default: value, accepts, doc };
        }),
      })),
    );
    return 0;
  },
};
