/**
 * Installs packages and builds dist/ from the current sources, if needed. Needs only Node, on any platform.
 *
 * Each installation or build writes a stamp file with a hash of its inputs. The stamp is written last, so an interrupted
 * installation or build never counts as complete. A lock file prevents two processes from installing or building at the same
 * time.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const LOCK = join(root, ".hmge-setup.lock");
/** Age at which a lock counts as stale. No installation or build takes this long. */
const STALE_LOCK_MILLISECONDS = 15 * 60_000;
const POLL_MILLISECONDS = 200;

/** Runs a program and sends its output to standard error, so that standard output contains only the result of the command. */
export function runToStderr(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], ...options });
  if (status === 0) return;
  const reason = error === undefined ? `exit code ${status}` : error.message;
  throw new SetupError(`${basename(command)} ${args.map((arg) => basename(arg)).join(" ")} failed: ${reason}`);
}

export class SetupError extends Error {}

/** Runs `body`. If the set-up fails, prints the error in one line and ends the process. */
export async function exitOnSetupError(body) {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`hmge: ${error.message}`);
    process.exit(1);
  }
}

/** Program and first arguments that start npm. Prefers the npm that started this process, then npm next to Node, then npm on the PATH. */
export function npmCommand() {
  const nodeFolder = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath ?? "",
    join(nodeFolder, "node_modules/npm/bin/npm-cli.js"),
    join(nodeFolder, "../lib/node_modules/npm/bin/npm-cli.js"),
  ];
  const script = candidates.find((path) => basename(path) === "npm-cli.js" && existsSync(path));
  if (script !== undefined) return { command: process.execPath, args: [script], options: {} };
  // on Windows npm is a batch file, and only a shell can start a batch file
  return process.platform === "win32"
    ? { command: "npm.cmd", args: [], options: { shell: true } }
    : { command: "npm", args: [], options: {} };
}

/** Waits until no other process holds the lock, then holds it while `body` runs. */
export async function withLock(body) {
  let announced = false;
  for (;;) {
    const holder = takeLock();
    if (holder === undefined) break;
    if (!announced) process.stderr.write(`hmge: waiting for the installation or build of process ${holder} …\n`);
    announced = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
  const release = () => rmSync(LOCK, { force: true });
  // an interrupt removes the lock and writes no stamp
  const interrupted = () => {
    release();
    process.exit(130);
  };
  process.on("SIGINT", interrupted).on("SIGTERM", interrupted);
  try {
    return await body();
  } finally {
    release();
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
  }
}

/** Takes the lock and returns undefined, or returns the id of the process that holds it. */
function takeLock() {
  try {
    const file = openSync(LOCK, "wx");
    writeFileSync(file, `${hostname()} ${process.pid}`);
    closeSync(file);
    return undefined;
  } catch (error) {
    if (error.code !== "EEXIST") throw new SetupError(`${LOCK}: ${error.message}`);
  }
  let text;
  let age;
  try {
    text = readFileSync(LOCK, "utf8");
    age = Date.now() - statSync(LOCK).mtimeMs;
  } catch {
    return "another"; // released just now
  }
  const [host, pid] = text.split(" ");
  const dead = host === hostname() && pid !== undefined && !isAlive(Number(pid));
  if (!dead && age < STALE_LOCK_MILLISECONDS) return pid ?? "another";
  // a stale lock is renamed before it is deleted, because only one of several processes can rename it
  const staleLock = `${LOCK}.${process.pid}`;
  try {
    renameSync(LOCK, staleLock);
    rmSync(staleLock, { force: true });
  } catch {
    return "another";
  }
  return takeLock();
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Hash of the names and contents of all files in `paths`, which may be folders. Leaves out names for which `skip` is true. */
export function fingerprint(paths, skip = () => false) {
  const hash = createHash("sha256");
  const visit = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) if (!skip(name)) visit(`${path}/${name}`);
    } else {
      const content = readFileSync(full);
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}

/** Fingerprint of everything that a build depends on. */
export function sourceFingerprint() {
  const inputs = ["package-lock.json", "tsconfig.json", "tsconfig.build.json"];
  const scripts = ["build", "build-kernels", "build-page"].map((name) => `scripts/${name}.mjs`);
  return fingerprint(
    [...inputs, ...scripts, "src"],
    (name) => name === "generated" || name === "dispatch.ts" || name.endsWith(".test.ts"),
  );
}

function hasContent(path, text) {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}

/** Installs from the lockfile if it changed since the last installation. */
export async function ensureInstalled() {
  const wanted = `${process.platform} ${process.arch} ${fingerprint(["package-lock.json"])}`;
  const stamp = join(root, "node_modules/.hmge-installed");
  if (hasContent(stamp, wanted)) return;
  await withLock(() => {
    if (hasContent(stamp, wanted)) return;
    process.stderr.write("hmge: installing packages (only the first time) …\n");
    rmSync(stamp, { force: true });
    const { command, args, options } = npmCommand();
    runToStderr(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], options);
    writeFileSync(stamp, wanted);
  });
}

/** Whether dist/ was built from the current sources. */
export function isBuilt() {
  return hasContent(join(root, "dist/.built"), sourceFingerprint());
}

/** Builds if dist/ is missing, incomplete or built from other sources. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  process.stderr.write("hmge: building …\n");
  // in a new process, because the compilers may have been installed a moment ago
  runToStderr(process.execPath, [join(root, "scripts/build.mjs")]);
}

// runs for `npm run build` and before `npm pack`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await exitOnSetupError(async () => {
    await ensureInstalled();
    await ensureBuilt();
  });
}
