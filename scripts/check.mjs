/** `npm run check`: format and lint, types, import rules. All checks run; the command fails if any of them fails. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, exitOnSetupError, root } from "./setup.mjs";

const CHECKS = [
  { name: "format and lint", args: ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings"] },
  { name: "types", args: ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"] },
  { name: "import rules", args: ["node_modules/vitest/vitest.mjs", "run", "test/boundaries.test.ts"] },
];

await exitOnSetupError(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
const failures = CHECKS.filter(({ name, args: [script, ...args] }) => {
  console.log(`check: ${name}`);
  return spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" }).status !== 0;
});
console.log(failures.length === 0 ? "checks passed" : `checks failed: ${failures.map(({ name }) => name).join(", ")}`);
process.exitCode = failures.length === 0 ? 0 : 1;
