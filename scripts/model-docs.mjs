/** Generates docs/models.md from the definitions of the models. */

function table(header, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The text of docs/models.md. `formatOption` is the function of src/core/options.ts. */
export function documentModels(models, formatOption) {
  return [
    "# The models",
    "",
    "Written by `npm run docs` from the definitions in `src/models/`. Set any option with `--set name=value` on the command line, or as a property of the third argument of `train`. In the costs, n is the number of nodes, D the number of relations and nnz the number of stored entries in all relations; other names are options of the model.",
    "",
    table(
      ["model", "from", "what it does"],
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
  const differing = (names, read) =>
    names
      .map((name) => [`\`${name}\``, ...presets.map(([, preset]) => read(preset, name))])
      .filter(([, first, ...others]) => others.some((other) => other !== first));
  const traits = [
    ...(model.uses ?? []).map((what) => (what === "labels" ? "learns from training labels" : `uses ${what}`)),
    ...(model.relationVectors === undefined ? [] : ["vectors per relation"]),
  ];
  const { optimizer = "adam", keep = "best", finalRate = 1 } = model.optimization ?? {};
  return [
    `## ${model.name}`,
    "",
    `${model.summary[0].toUpperCase()}${model.summary.slice(1)}.`,
    "",
    `- Paper: ${model.paper}`,
    `- Multiply-adds of an epoch: ${model.cost}`,
    ...(traits.length === 0 ? [] : [`- Also: ${traits.join(", ")}`]),
    `- Optimiser: ${optimizer}${finalRate === 1 ? "" : `; the learning rate falls linearly to ${finalRate === 0 ? 0 : `${100 * finalRate} % of its initial value`}`}; keeps the ${keep} parameters`,
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
            [...differing(Object.keys(model.options), value), ...differing(Object.keys(model.training), training)],
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
