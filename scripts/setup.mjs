/**
 * What every command needs first: installed packages and a build that is not older than its sources. Does nothing when
 * nothing is missing. Runs with Node alone, on any platform.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program with our standard error as its output, so that standard output stays the user's; exits on failure. */
export function runQuietly(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(`${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}`);
    process.exit(status ?? 1);
  }
}

function newestSource(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "generated" || entry.name === "dispatch.ts") continue;
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestSource(path) : statSync(path).mtimeMs);
  }
  return newest;
}

/** Installs from the lockfile when it changed since the last installation. */
export function ensureInstalled() {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const stamp = join(root, "node_modules/.hmge-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stderr.write("hmge: installing packages (once) …\n");
  runQuietly("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, lock);
}

/** Builds when a source is newer than the last build. */
export function ensureBuilt() {
  const stamp = join(root, "dist/.built");
  const newest = Math.max(newestSource(join(root, "src")), newestSource(join(root, "scripts")));
  if (existsSync(stamp) && statSync(stamp).mtimeMs > newest) return;
  process.stderr.write("hmge: building …\n");
  runQuietly(process.execPath, [join(root, "scripts/build.mjs")]);
}
