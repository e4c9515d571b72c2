/** Models of a comparison, as a user names them: `hmge`, or with a preset `hmge:reference`. */

import { InputError, suggest } from "../../core/errors.js";
import type { ModelVariant } from "../../experiments/cells/train-cell.js";
import type { Model } from "../../nn/model.js";
import { resolveTraining } from "../../train/train.js";
import { findModel, loadModels, requireSetting } from "./model-options.js";
import { modelFileOf } from "./own-model.js";

/** Settings of all models (`epochs` is a maximum), and of single models as MODEL.OPTION=VALUE or MODEL:PRESET.OPTION=VALUE. */
export interface VariantSettings {
  readonly all: Readonly<Record<string, string>>;
  readonly single: readonly string[];
}

/** Replaces the word `all` by the names of all other models. */
export async function expandModels(names: readonly string[]): Promise<string[]> {
  const known = (await loadModels()).map(({ name }) => name);
  return names.flatMap((name) => (name === "all" ? known.filter((model) => !names.includes(model)) : [name]));
}

export async function readVariants(names: readonly string[], settings: VariantSettings): Promise<ModelVariant[]> {
  const entries = await Promise.all(names.map(readName));
  const labels = entries.map(({ label }) => label);
  const repeated = labels.find((label, i) => labels.indexOf(label) < i);
  if (repeated !== undefined) throw new InputError(`--models: ${repeated} is given twice; expected once.`);
  const modelSettings = settings.single.map(readSetting);
  for (const { name, text } of modelSettings) {
    if (entries.some(({ label, model }) => label === name || model.name === name)) continue;
    throw new InputError(`--set: "${text}" names ${name}, which is not compared${suggest(name, labels)}`);
  }
  return Promise.all(
    entries.map(async ({ label, model, preset }) => {
      const chosen: Record<string, string> = { ...settings.all };
      if (preset !== undefined) chosen["preset"] = preset;
      // a setting for MODEL:PRESET overrides a setting for MODEL
      for (const settingName of preset === undefined ? [label] : [model.name, label]) {
        for (const { option, value } of modelSettings.filter(({ name }) => name === settingName)) {
          if (option === "seed") throw new InputError("--set: seed is not a setting of a comparison. Give --seeds.");
          await requireSetting(model, option);
          chosen[option] = value;
        }
      }
      const { training } = resolveTraining(model, chosen);
      if (chosen["epochs"] !== undefined && chosen["epochs"] === settings.all["epochs"]) {
        // a model that trains for fewer epochs keeps its number: its schedule may depend on it
        const { epochs: _, ...others } = chosen;
        const defaultEpochs = resolveTraining(model, others).training.epochs;
        if (defaultEpochs < training.epochs) return { label, model, settings: others, modelFile: modelFileOf(model) };
      }
      return { label, model, settings: chosen, modelFile: modelFileOf(model) };
    }),
  );
}

/** Reads `hmge`, `hmge:reference` or the path of a module; tables show the name of the module's model. */
async function readName(text: string): Promise<{ label: string; model: Model; preset?: string }> {
  const path = /^(.*\.m?[jt]s)(?::([^:\\/]*))?$/i.exec(text);
  const [name, preset, ...rest] = path === null ? text.split(":") : path.slice(1);
  if (name === "" || preset === "" || rest.length > 0) {
    throw new InputError(`--models: found "${text}"; expected MODEL or MODEL:PRESET.`);
  }
  const model = await findModel(name).catch((error: unknown) => {
    throw error instanceof InputError ? new InputError(error.message.replace("--model:", "--models:")) : error;
  });
  return { label: preset === undefined ? model.name : `${model.name}:${preset}`, model, preset };
}

function readSetting(text: string): { name: string; option: string; value: string; text: string } {
  const match = /^\s*([^.=\s]+)\.([^.=\s]+)\s*=(.*)$/.exec(text);
  if (match === null) {
    throw new InputError(`--set: found "${text}"; expected MODEL.OPTION=VALUE, such as hmge.dim=32.`);
  }
  return { name: match[1], option: match[2], value: match[3].trim(), text };
}
