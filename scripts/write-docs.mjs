/**
 * Writes docs/models.md and docs/commands.md from the definitions of the models and commands. With --check it writes nothing
 * and fails if a file is out of date. Reads the build.
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
const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { formatOption } = await built("core/options.js");
const { loadModels } = await built("cli/options/model-options.js");
const { commands } = await built("cli/commands.js");
const { COMMON_OPTIONS } = await built("cli/command.js");
const { optionRows } = await built("cli/terminal/help.js");
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
