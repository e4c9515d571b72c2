/**
 * Writes into docs/MODEL.md, between its two marks, what the definition of each model says: training defaults, options,
 * presets. With --check it writes nothing and fails when a file is out of date. Reads the build.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, orExit, root } from "./setup.mjs";

const BEGIN = "<!-- generated: npm run docs -->";
const END = "<!-- end of generated -->";

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
  return [
    "### Options",
    "",
    "Any of them with `--set name=value` on the command line, or as a property of the third argument of `train`.",
    "",
    table(
      ["option", "default", "accepts", "meaning"],
      Object.entries(model.options).map(([name, option]) => {
        return [`\`${name}\``, `\`${formatOption(option.default)}\``, option.accepts, option.doc];
      }),
    ),
    "",
    "### Training",
    "",
    table(
      ["setting", "default"],
      Object.entries(model.training).map(([name, number]) => [`\`${name}\``, `\`${number}\``]),
    ),
    "",
    "### Where the presets differ",
    "",
    ...presets.map(([name, { doc }]) => `- \`${name}\`: ${doc}`),
    "",
    table(
      ["option", ...presets.map(([name]) => `\`${name}\``)],
      [...differing(Object.keys(model.options), value), ...differing(Object.keys(model.training), training)],
    ),
  ].join("\n");
}

const stale = [];
for (const model of models) {
  const path = join(root, "docs", `${model.name}.md`);
  const text = readFileSync(path, "utf8");
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${path}: expected the marks ${BEGIN} and ${END}`);
  const fresh = `${text.slice(0, begin)}${BEGIN}\n\n${describe(model)}\n\n${text.slice(end)}`;
  if (fresh === text) continue;
  if (process.argv.includes("--check")) stale.push(path);
  else writeFileSync(path, fresh);
}
if (stale.length > 0) {
  console.error(`out of date: ${stale.join(", ")}; run npm run docs`);
  process.exitCode = 1;
}
