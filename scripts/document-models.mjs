/**
 * Writes what the definitions of the models say into docs/models.md and the table of the README. With --check it writes
 * nothing and fails if a file is out of date. Reads the build.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentModels, withModelRows } from "./model-docs.mjs";
import { ensureBuilt, ensureInstalled, orExit, root } from "./setup.mjs";

await orExit(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { formatOption } = await built("core/options.js");
const { loadModels } = await built("cli/options/model-options.js");
const models = Object.values(await built("models/index.js"));
const readme = readFileSync(join(root, "README.md"), "utf8");
const texts = {
  "docs/models.md": documentModels(models, formatOption),
  "README.md": withModelRows(readme, await loadModels()),
};
for (const [name, text] of Object.entries(texts)) {
  const path = join(root, name);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`out of date: ${name}; run npm run docs`);
    process.exitCode = 1;
  } else writeFileSync(path, text);
}
