/** A form for a training: model, width, seed, epochs and, folded, all other options. Its fields derive from the option schemas. */

import { type Model, models, type OptionSpec, trainingSchema } from "../../index.js";
import { type Component, element, fill } from "../dom.js";

/** The model that is selected at first, as on the command line. */
const DEFAULT_MODEL = "multiview";

// biome-ignore lint/suspicious/noExplicitAny: a schema holds options of any type
type Spec = OptionSpec<any>;

export interface TrainingChoice {
  /** Name of the model. */
  readonly model: string;
  /** The options that the visitor changed, as text. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface TrainingFormOptions {
  /** Called when the form is submitted and all values are accepted. */
  readonly onSubmit: (choice: TrainingChoice) => void;
}

export interface TrainingForm extends Component {
  /** The choice; undefined if a value is not accepted, which the form then shows next to it. */
  read(): TrainingChoice | undefined;
  /** Allows or forbids changes and a start. */
  setEnabled(enabled: boolean): void;
}

/** An option with the default that holds for a model and one of its presets. */
interface Field {
  readonly name: string;
  readonly spec: Spec;
  readonly fallback: unknown;
}

/** Options that are always shown, in this order. */
const MAIN = ["dim", "seed", "epochs"];
const LABELS: Readonly<Record<string, string>> = { dim: "Width", seed: "Seed", epochs: "Epochs", engine: "Compute on" };

const ENGINES = ["wasm", "auto"];
/** The engine, last of all options in browsers with WebGPU. */
const ENGINE: Field = {
  name: "engine",
  fallback: "wasm",
  spec: {
    default: "wasm",
    doc: "wasm: the processor, with the vectors of the command line; auto: the graphics card if there is one, with other last digits",
    accepts: ENGINES.join(" | "),
    choices: ENGINES,
    read: (value) => ENGINES.find((engine) => engine === value),
  },
};

export function createTrainingForm(host: HTMLElement, { onSubmit }: TrainingFormOptions): TrainingForm {
  const all: readonly Model[] = Object.values(models);
  const sorted = [...all].sort((a, b) => Number(b.name === DEFAULT_MODEL) - Number(a.name === DEFAULT_MODEL));
  const modelSelect = element(
    "select",
    { id: "training-form-model", "aria-describedby": "training-form-model-help" },
    ...sorted.map(({ name }) => element("option", { value: name }, name)),
  );
  const summary = element("p", { id: "training-form-model-help", class: "training-form-help muted" });
  const preset = element("div", { class: "training-form-field" });
  const main = element("div", { class: "training-form-fields" });
  const others = element("div", { class: "training-form-fields" });
  const fold = element("summary", {});
  const start = element("button", { type: "submit", class: "training-form-start" }, "Train");
  const fieldset = element(
    "fieldset",
    { class: "training-form-all" },
    element("legend", { class: "visually-hidden" }, "Training"),
    element(
      "div",
      { class: "training-form-field" },
      element("label", { for: modelSelect.id }, "Model"),
      modelSelect,
      summary,
    ),
    preset,
    main,
    element("details", {}, fold, others),
    start,
  );
  const form = element("form", { class: "training-form", novalidate: true }, fieldset);
  let inputs = new Map<Field, FieldInput>();
  // one for all models, so that the choice stays when the model changes
  const engine = navigator.gpu === undefined ? undefined : createInput(ENGINE);
  let presetSelect: HTMLSelectElement | undefined;

  const currentModel = () => sorted.find(({ name }) => name === modelSelect.value) ?? sorted[0];
  const showFields = () => {
    const model = currentModel();
    const fields = fieldsOf(model, presetSelect?.value ?? Object.keys(model.presets)[0]);
    inputs = new Map(fields.map((field) => [field, createInput(field)]));
    const shown = (isMain: boolean) =>
      [...inputs].filter(([{ name }]) => MAIN.includes(name) === isMain).map(([, { row }]) => row);
    fill(main, ...shown(true));
    fill(others, ...shown(false), ...(engine === undefined ? [] : [engine.row]));
    fold.textContent = `All options of ${model.name} (${shown(false).length})`;
  };
  const showModel = () => {
    const model = currentModel();
    summary.textContent = `${model.summary} (${model.paper})`;
    const names = Object.keys(model.presets);
    presetSelect = undefined;
    fill(preset);
    preset.hidden = names.length < 2;
    if (names.length > 1) {
      presetSelect = element(
        "select",
        { id: "training-form-preset" },
        ...names.map((name) => element("option", { value: name }, `${name}: ${model.presets[name].doc}`)),
      );
      presetSelect.addEventListener("change", showFields);
      fill(preset, element("label", { for: presetSelect.id }, "Preset"), presetSelect);
    }
    showFields();
  };
  modelSelect.addEventListener("change", showModel);
  showModel();

  const read = (): TrainingChoice | undefined => {
    const settings: Record<string, string> = {};
    let wrong: FieldInput | undefined;
    for (const [{ name }, input] of [...inputs, ...(engine === undefined ? [] : [[ENGINE, engine] as const])]) {
      const { value, isAccepted } = input.check();
      if (!isAccepted) wrong ??= input;
      else if (value !== undefined) settings[name] = value;
    }
    if (wrong !== undefined) {
      const folded = wrong.row.closest("details");
      if (folded !== null) folded.open = true;
      wrong.control.focus();
      return undefined;
    }
    const { name, presets } = currentModel();
    const chosen = presetSelect?.value;
    if (chosen !== undefined && chosen !== Object.keys(presets)[0]) settings["preset"] = chosen;
    return { model: name, settings };
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const choice = read();
    if (choice !== undefined) onSubmit(choice);
  });
  host.append(form);
  return {
    read,
    setEnabled(enabled) {
      fieldset.disabled = !enabled;
    },
    dispose: () => form.remove(),
  };
}

/** The options of a model and its training; the always shown ones first. */
export function fieldsOf(model: Model, presetName: string): Field[] {
  const preset = model.presets[presetName];
  const training: Readonly<Record<string, Spec>> = trainingSchema(model.training);
  const values: Readonly<Record<string, unknown>> = { ...preset.training, ...preset.options };
  const fields = Object.entries({ ...training, ...model.options }).map(([name, spec]: [string, Spec]) => ({
    name,
    spec,
    fallback: values[name] ?? spec.default,
  }));
  const rank = ({ name }: Field) => (MAIN.includes(name) ? MAIN.indexOf(name) : MAIN.length);
  return [...fields].sort((a, b) => rank(a) - rank(b));
}

interface FieldInput {
  readonly row: HTMLElement;
  readonly control: HTMLElement;
  /** The text of a changed value, undefined for the default; shows a value that is not accepted. */
  check(): { readonly value?: string; readonly isAccepted: boolean };
}

function createInput({ name, spec, fallback }: Field): FieldInput {
  const id = `training-form-${name}`;
  const shown = Array.isArray(fallback) ? fallback.join(",") || "none" : String(fallback ?? "");
  const described = { id, "aria-describedby": `${id}-help ${id}-error` };
  const words =
    typeof fallback === "boolean" ? ["true", "false"] : spec.choices?.includes(shown) ? spec.choices : undefined;
  const control =
    words === undefined
      ? element("input", {
          ...described,
          type: "text",
          autocomplete: "off",
          placeholder: shown || (spec.defaultText ?? ""),
        })
      : element(
          "select",
          described,
          ...words.map((word) =>
            element("option", { value: word, selected: word === shown }, { true: "yes", false: "no" }[word] ?? word),
          ),
        );
  const range = words === undefined ? ` (${spec.accepts}; default ${shown || spec.defaultText || "none"})` : "";
  const error = element("p", { id: `${id}-error`, class: "training-form-error", role: "alert" });
  const check = () => {
    const value = control.value.trim();
    const isDefault = words === undefined ? value === "" : value === shown;
    const isAccepted = isDefault || spec.read(value) !== undefined;
    error.textContent = isAccepted ? "" : `${name} is ${JSON.stringify(value)}; expected ${spec.accepts}.`;
    control.setAttribute("aria-invalid", String(!isAccepted));
    return { isAccepted, ...(isDefault ? {} : { value }) };
  };
  control.addEventListener("change", check);
  const row = element(
    "div",
    { class: "training-form-field" },
    element("label", { for: id }, LABELS[name] ?? name),
    control,
    element("p", { id: `${id}-help`, class: "training-form-help muted" }, `${spec.doc}${range}`),
    error,
  );
  return { row, control, check };
}
