/** The user's own models: `--model ./my-model.mjs` names a module that exports one. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError, isUserError } from "../../core/errors.js";
import { once } from "../../core/once.js";
import type { RunRecord } from "../../core/record.js";
import { valueText } from "../../core/validation.js";
import { cannotRead, requireFile } from "../../io/read-input.js";
import type { Model } from "../../nn/model.js";

export type ModelFile = NonNullable<RunRecord["modelFile"]>;

const files = new WeakMap<Model, ModelFile>();

/** The file of the user's own model; undefined for a model of this program. */
export function modelFileOf(model: Model): ModelFile | undefined {
  return files.get(model);
}

const ENDINGS = [".mjs", ".js", ".mts", ".ts"];

/** Whether the name of a model is the path of a module. */
export function isModelPath(name: string): boolean {
  return /[\\/]/.test(name) || ENDINGS.includes(extname(name).toLowerCase());
}

/** The model that a module exports; `taken` are the names of this program's models. */
export async function loadOwnModel(path: string, taken: readonly string[]): Promise<Model> {
  const where = `--model: ${path}`;
  await requireFile(path).catch((error: unknown) => {
    const found = cannotRead(error, path);
    throw found instanceof InputError ? new InputError(`--model: ${found.message}`) : found;
  });
  const bytes = await readFile(path).catch((error: unknown) => {
    throw cannotRead(error, path);
  });
  resolveOwnPackage();
  const exported: unknown = await import(/* @vite-ignore */ pathToFileURL(resolve(path)).href).catch(
    (error: unknown) => {
      throw new InputError(`${where}: cannot be loaded: ${loadFault(error)}`);
    },
  );
  const model = guarded(exportedModel(Object(exported), where), path);
  if (taken.includes(model.name)) {
    throw new InputError(
      `${where}: its model is called "${model.name}", which is the name of a model of this program. Rename it.`,
    );
  }
  files.set(model, { path: resolve(path), sha256: createHash("sha256").update(bytes).digest("hex") });
  return model;
}

/** The model with functions whose errors name its file, because its author has to fix them. */
function guarded(model: Model, path: string): Model {
  const withFile = (member: string, error: unknown): unknown => {
    if (isUserError(error) || (error instanceof Error && error.name === "AbortError")) return error;
    const found = new InputError(`${path}: ${member}() of ${model.name} fails: ${loadFault(error)}`);
    if (error instanceof Error) found.stack = error.stack;
    return found;
  };
  const members = Object.entries(model).map(([member, value]) => {
    if (typeof value !== "function") return [member, value];
    return [
      member,
      (...args: unknown[]): unknown => {
        try {
          const result: unknown = value.apply(model, args);
          if (!(result instanceof Promise)) return result;
          return result.catch((error: unknown) => {
            throw withFile(member, error);
          });
        } catch (error) {
          throw withFile(member, error);
        }
      },
    ];
  });
  return Object.fromEntries(members) as Model;
}

function loadFault(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : valueText(error);
  const code = Reflect.get(Object(error), "code");
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "this version of Node runs no TypeScript. Give a .mjs file.";
  return text.split("\n", 1)[0];
}

/** The members that defineModel requires, by type. */
const MEMBERS: Readonly<Record<string, readonly (keyof Model)[]>> = {
  string: ["name", "paper", "summary", "cost"],
  number: ["year"],
  object: ["options", "presets", "training"],
  function: ["prepare", "init", "loss", "embed"],
};

/** The default export, or the only export that is a model. */
function exportedModel(exported: Readonly<Record<string, unknown>>, where: string): Model {
  const names = Object.keys(exported);
  const chosen =
    exported["default"] === undefined ? names.filter((name) => looksLikeModel(exported[name])) : ["default"];
  if (chosen.length > 1) {
    throw new InputError(
      `${where}: exports ${chosen.length} models (${chosen.join(", ")}); expected one, or one of them as default.`,
    );
  }
  if (chosen.length === 0) {
    const found = names.length === 0 ? "exports nothing" : `exports ${names.join(", ")}, none of which is a model`;
    throw new InputError(
      `${where}: ${found}; expected a model made by defineModel of "hmge/model", such as export default defineModel({ … }).`,
    );
  }
  const model = exported[chosen[0]];
  const missing = Object.entries(MEMBERS).flatMap(([kind, members]) =>
    members.filter((member) => !isOfKind(Reflect.get(Object(model), member), kind)),
  );
  if (missing.length > 0) {
    throw new InputError(
      `${where}: its export ${chosen[0]} lacks ${missing.join(", ")}; expected a model made by defineModel of "hmge/model".`,
    );
  }
  const { name, presets } = model as Model;
  if (name.trim() === "" || Object.keys(presets).length === 0) {
    throw new InputError(
      `${where}: its model has ${name.trim() === "" ? "an empty name" : "no preset"}; expected one.`,
    );
  }
  return model as Model;
}

function isOfKind(value: unknown, kind: string): boolean {
  return typeof value === kind && value !== null;
}

function looksLikeModel(value: unknown): boolean {
  return typeof value === "object" && value !== null && ["loss", "embed"].some((member) => member in value);
}

/** The modules of this package's sub-paths. */
const OWN_MODULES: Readonly<Record<string, string>> = {
  hmge: new URL("../../index.js", import.meta.url).href,
  "hmge/model": new URL("../../model.js", import.meta.url).href,
  "hmge/io": new URL("../../io/index.js", import.meta.url).href,
};

type Resolve = (specifier: string, context: unknown) => unknown;

/**
 * Makes "hmge/model" resolve to this program, wherever the user's file lies: next to an installed package, in a clone or
 * alone in a folder. Node 22.15 and later runs the hooks in the same thread, earlier versions in another.
 */
const resolveOwnPackage = once(() => {
  const registerHooks: unknown = Reflect.get(nodeModule, "registerHooks");
  if (typeof registerHooks === "function") {
    registerHooks({
      resolve: (specifier: string, context: unknown, next: Resolve) =>
        Object.hasOwn(OWN_MODULES, specifier)
          ? { url: OWN_MODULES[specifier], shortCircuit: true }
          : next(specifier, context),
    });
    return;
  }
  const hooks = `const own = ${JSON.stringify(OWN_MODULES)};
export const resolve = (specifier, context, next) =>
  Object.hasOwn(own, specifier) ? { url: own[specifier], shortCircuit: true } : next(specifier, context);`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hooks)}`);
});
