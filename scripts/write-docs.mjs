/**
 * Writes docs/models.md and docs/commands.md from the definitions of the models and commands. With --check it writes nothing
 * and fails if a file is out of date. It imports the definitions from dist/, which it builds first if necessary.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentCommands } from "./command-docs.mjs";
import { documentModels } from "./model-docs.mjs";
import { ensureBuilt, ensureInstalled, exitOnSetupError, root } from "./setup.mjs";

await exitOnSetupError(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
const importBuilt = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { formatOption } = await importBuilt("core/options.js");
const { loadModels } = await importBuilt("cli/options/model-options.js");
const { commands } = await importBuilt("cli/commands.js");
const { COMMON_OPTIONS } = await importBuilt("cli/command.js");
const { optionRows } = await importBuilt("cli/terminal/help.js");
const texts = {
  "docs/models.md": documentModels(await loadModels(), formatOption),
  "docs/commands.md": await documentCommands(commands, COMMON_OPTIONS, optionRows),
};
for (const [name, text] of Object.entries(texts)) {
  const path = join(root, name);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`out of date: ${name}; run npm run docs`);
    process.exitCode = 1;
  } else writeFileSync(path, text);
}
