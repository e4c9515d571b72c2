/**
 * Writes docs/models.md: what the definition of each model says, that is paper, cost, training defaults, options and
 * presets. With --check it writes nothing and fails when the file is out of date. Reads the build.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, orExit, root } from "./setup.mjs";

await orExit(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
const models = Object.values(await import(new URL("../dist/models/index.js", import.meta.url).href));
const { formatOption } = await import(new URL("../dist/core/options.js", import.meta.url).href);

function table(header, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function describe(model) {
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
    ...(traits.length === 0 ? [] : [`- Beside one vector per node: ${traits.join(", ")}`]),
    `- Optimiser: ${optimizer}${finalRate === 1 ? "" : `, its rate falling linearly to ${finalRate} of itself`}; keeps the ${keep} parameters`,
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

const path = join(root, "docs", "models.md");
const fresh = [
  "# The models",
  "",
  "Made by `npm run docs` from the definitions in `src/models/`. Any option is set with `--set name=value` on the command line, or as a property of the third argument of `train`. In the costs n is the number of nodes, D of relations, nnz of stored entries of all relations; other names are options of the model.",
  "",
  ...models.map(describe).flatMap((text) => [text, ""]),
].join("\n");
const current = existsSync(path) ? readFileSync(path, "utf8") : "";
if (fresh !== current) {
  if (process.argv.includes("--check")) {
    console.error("out of date: docs/models.md; run npm run docs");
    process.exitCode = 1;
  } else writeFileSync(path, fresh);
}
