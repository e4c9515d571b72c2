import { expect, test } from "vitest";
import { VERSION } from "../src/core/version.js";
import { readManifest, readText } from "./support/repository.js";

test("the version of the library is the version of the package, and the changelog has it", () => {
  const { version } = readManifest();
  expect(VERSION).toBe(version);
  expect(readText("CHANGELOG.md")).toMatch(new RegExp(`^## ${version.replaceAll(".", "\\.")}\\b`, "m"));
});

test("every dependency has its version and reason in docs/dependencies.md, and no other package is listed", () => {
  const manifest = readManifest();
  const listed = [...readText("docs/dependencies.md").matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]{20,}) \|$/gm)];
  const { dependencies, optionalDependencies, devDependencies, peerDependencies } = manifest;
  const expected = { ...dependencies, ...optionalDependencies, ...devDependencies, ...peerDependencies };
  expect(Object.fromEntries(listed.map(([, name, version]) => [name, version.trim()]))).toEqual(expected);
});

test("dependencies are pinned", () => {
  const { dependencies, optionalDependencies, devDependencies } = readManifest();
  for (const version of Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});

// npm omits a platform's binary silently when the registry lacks it
test("DuckDB has its binary for this platform", async () => {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = (await connection.runAndReadAll("SELECT 6 * 7 AS answer")).getRows();
  connection.closeSync();
  expect(rows).toEqual([[42]]);
});

test("koffi has its binary for this platform", async () => {
  const { default: koffi } = await import("koffi");
  expect(koffi.sizeof("int")).toBe(4);
});

// npm ci refuses a lockfile that lacks some, and npm writes such a lockfile when the registry lacks them
test("the lockfile lists the binaries of every platform", () => {
  interface Locked {
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const { packages } = JSON.parse(readText("package-lock.json")) as { packages: Record<string, Locked> };
  const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
  const wanted = Object.values(packages).flatMap((locked) => Object.keys(locked.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});
