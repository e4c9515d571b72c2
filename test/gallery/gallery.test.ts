/** Compares each chart of the gallery with its stored picture; `UPDATE_GALLERY=1 npm test` stores new pictures. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gallery } from "./charts.js";

const folder = join(import.meta.dirname, "expected");

describe("the gallery", () => {
  test.for(Object.keys(gallery))("%s", async (name) => {
    const drawn = `${await gallery[name]()}\n`;
    const path = join(folder, `${name}.svg`);
    if (process.env["UPDATE_GALLERY"] === "1") {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, drawn);
    }
    expect(drawn).toBe(readFileSync(path, "utf8"));
    expect(`${await gallery[name]()}\n`).toBe(drawn);
  });
});
