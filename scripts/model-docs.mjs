/** Generates docs/models.md from the definitions of the models. */

function table(header, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Returns the text of docs/models.md. `formatOption` comes from src/core/options.ts. */
export function documentModels(models, formatOption) {
  return [
    "# The models",
    "",
    "Written by `npm run docs` from the definitions in `src/models/`. Set any option with `--set name=value` on the command line, or as a property of the third argument of `train`. In the numbers of multiply-adds, n is the number of nodes, D the number of relations and nnz the number of stored entries in all relations; other names are options of the model.",
    "",
    table(
      ["model", "paper", "method"],
      models.map((model) => [`[\`${model.name}\`](#${model.name})`, citation(model), model.summary]),
    ),
    "",
    ...models.flatMap((model) => [describe(model, formatOption), ""]),
  ].join("\n");
}

function describe(model, formatOption) {
  const presets = Object.entries(model.presets);
  const value = (preset, name) => `\`${formatOption(preset.options[name] ?? model.options[name].default)}\``;
  const training = (preset, name) => `\`${preset.training?.[name] ?? model.training[name]}\``;
  const rowsThatDiffer = (names, read) =>
    names
      .map((name) => [`\`${name}\``, ...presets.map(([, preset]) => read(preset, name))])
      .filter(([, first, ...others]) => others.some((other) => other !== first));
  const traits = [
    ...(model.uses ?? []).map((input) => (input === "labels" ? "learns from training labels" : `uses ${input}`)),
    ...(model.relationVectors === undefined ? [] : ["has vectors per relation"]),
  ];
  const { optimizer = "adam", keep = "best", finalRate = 1 } = model.optimization ?? {};
  return [
    `## ${model.name}`,
    "",
    `${model.summary[0].toUpperCase()}${model.summary.slice(1)}.`,
    "",
    `- Paper: ${model.paper}`,
    `- Multiply-adds per epoch: ${model.cost}`,
    ...(traits.length === 0 ? [] : [`- Inputs and outputs: ${traits.join(", ")}`]),
    `- Optimiser: ${optimizer}${finalRate === 1 ? "" : `; the learning rate falls linearly to ${finalRate === 0 ? 0 : `${100 * finalRate} % of its initial value`}`}; the run keeps the parameters of the ${keep} epoch`,
    "",
    table(
      ["option", "default", "accepts", "meaning"],
      Object.entries(model.options).map(([name, option]) => {
        return [`\`${name}\``, `\`${formatOption(option.default)}\``, option.accepts, option.doc];
      }),
    ),
    "",
    table(
      ["setting", "default"],
      Object.entries(model.training).map(([name, number]) => [`\`${name}\``, `\`${number}\``]),
    ),
    "",
    ...presets.map(([name, { doc }]) => `- preset \`${name}\`: ${doc}`),
    ...(presets.length === 1
      ? []
      : [
          "",
          table(
            ["option", ...presets.map(([name]) => `\`${name}\``)],
            [
              ...rowsThatDiffer(Object.keys(model.options), value),
              ...rowsThatDiffer(Object.keys(model.training), training),
            ],
          ),
        ]),
  ].join("\n");
}

/** First author and year of "Ann, Bo, Cy 2020, arXiv:…"; the first words of a paper without authors. */
function citation({ paper, year }) {
  const [, authors] = /^(.*?) \d{4}/.exec(paper) ?? [];
  if (authors === undefined) return paper.split(",")[0];
  const [first, ...others] = authors.split(", ");
  return `${first}${others.length > 0 ? " et al." : ""} ${year}`;
}
