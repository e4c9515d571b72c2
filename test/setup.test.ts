/** The set-up scripts in a small temporary project, with a replacement for npm. */

import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "./support/repository.js";

let folder = "";
const path = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hmge-setup-"));
  mkdirSync(path("scripts"));
  mkdirSync(path("node_modules"));
  copyFileSync(join(root, "scripts/setup.mjs"), path("scripts/setup.mjs"));
  writeFileSync(path("package-lock.json"), "{}");
  writeFileSync(path("package.json"), "{}"); // otherwise Node reads one of the folders above, which may say "module"
  // runs for 300 ms, logs "overlap" when two run at once, fails when a file "broken" exists
  writeFileSync(
    path("npm-cli.js"),
    `const fs = require("node:fs");
if (fs.existsSync("busy")) fs.appendFileSync("log", "overlap ");
fs.writeFileSync("busy", "");
setTimeout(() => {
  fs.rmSync("busy");
  fs.appendFileSync("log", process.argv[2] + " ");
  process.exit(fs.existsSync("broken") ? 1 : 0);
}, 300);`,
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of code with the set-up module; returns exit code and standard error. */
function call(body: string): Promise<{ code: number | null; errors: string }> {
  const script = `import * as setup from "./scripts/setup.mjs"; await setup.exitOnSetupError(async () => { ${body} });`;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: folder,
      env: { ...process.env, npm_execpath: path("npm-cli.js") },
    });
    let errors = "";
    child.stderr.on("data", (data) => {
      errors += String(data);
    });
    child.on("close", (code) => resolve({ code, errors }));
  });
}

const log = () => readFileSync(path("log"), "utf8").trim().split(" ");

test("runs that start together install once, one after the other", async () => {
  const results = await Promise.all([1, 2, 3].map(() => call("await setup.ensureInstalled();")));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(log()).toEqual(["ci"]);
  expect(existsSync(path(".hmge-setup.lock"))).toBe(false);
});

test("a failed installation is reported in one line and tried again", async () => {
  writeFileSync(path("broken"), "");
  const failed = await call("await setup.ensureInstalled();");
  expect(failed.code).toBe(1);
  expect(failed.errors).toContain("hmge: node npm-cli.js ci");
  rmSync(path("broken"));
  expect((await call("await setup.ensureInstalled();")).code).toBe(0);
  expect((await call("await setup.ensureInstalled();")).code).toBe(0);
  expect(log()).toEqual(["ci", "ci"]);
});

test("a changed lockfile starts another installation", async () => {
  await call("await setup.ensureInstalled();");
  writeFileSync(path("package-lock.json"), '{ "changed": true }');
  await call("await setup.ensureInstalled();");
  expect(log()).toEqual(["ci", "ci"]);
});

test("the lock of a process that is gone is taken over", async () => {
  // no process has a number this large
  writeFileSync(path(".hmge-setup.lock"), `${hostname()} 99999999`);
  expect((await call("await setup.ensureInstalled();")).code).toBe(0);
  expect(log()).toEqual(["ci"]);
});

test("a build counts only when it is complete and built from the current sources", async () => {
  mkdirSync(path("src"));
  mkdirSync(path("dist"));
  writeFileSync(path("src/a.ts"), "1");
  const state = async () => (await call('console.error(setup.isBuilt() ? "built" : "not built");')).errors.trim();
  expect(await state()).toBe("not built");
  await call('(await import("node:fs")).writeFileSync("dist/.built", setup.sourceFingerprint());');
  expect(await state()).toBe("built");
  writeFileSync(path("src/a.test.ts"), "a test changes nothing");
  expect(await state()).toBe("built");
  writeFileSync(path("src/a.ts"), "2");
  expect(await state()).toBe("not built");
});
