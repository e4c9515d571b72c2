/** A run is found with its files from any folder, and after both have moved. */

import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { embeddedScene } from "../support/embedded-scene.js";
import { documentOf, hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const SHORT = ["--model", "hmge", "--dim", "4", "--epochs", "2", "--threads", "1", "--quiet"];
const LINKS = ["--relation", "friend", "--top", "1", "--quiet"];

async function numEdges(run: string): Promise<number> {
  const out = `${run}.html`;
  const { code } = await hmgeInProcess(["explore", run, "--out", out, "--overwrite", "--quiet"]);
  expect(code).toBe(0);
  const { header } = await embeddedScene(readFileSync(out, "utf8"));
  expect(header.attributes.map(({ name }) => name)).toContain("label");
  return header.relations.reduce((sum, relation) => sum + relation.numEdges, 0);
}

describe("a run whose sources were named by relative paths", () => {
  beforeAll(async () => {
    mkdirSync(at("rel", "data"), { recursive: true });
    writeSmallGraph(at("rel"), { nodes: 40, perRelation: 80, name: "e.csv" });
    const labels = Array.from({ length: 40 }, (_, i) => `p${i},${"ab"[i % 2]}\n`);
    writeFileSync(at("rel", "labels.csv"), `node,label\n${labels.join("")}`);
    copyFileSync(at("rel", "e.csv"), at("rel", "data", "e.csv"));
    const embed = ["embed", "e.csv", ...SHORT];
    const results = [
      await hmge([...embed, "--out", "run", "--labels", "labels.csv"], { cwd: at("rel") }),
      await hmge([...embed, "--out", "../sibling", "--labels", "../labels.csv"], { cwd: at("rel", "data") }),
    ];
    for (const { code, stderr } of results) expect([code, stderr]).toEqual([0, ""]);
  });

  it("is found from another folder, with graph and labels", async () => {
    const record = JSON.parse(readFileSync(at("rel", "sibling", "run.json"), "utf8"));
    expect(record.workingFolder).toBe("../data");
    for (const run of [at("rel", "run"), at("rel", "sibling")]) {
      expect(await documentOf(["predict-links", run, ...LINKS])).toMatchObject({ relation: "friend" });
      expect(await numEdges(run)).toBeGreaterThan(100);
    }
    const words = ["evaluate", "classify", at("rel", "run"), "--labels", at("rel", "labels.csv"), "--quiet"];
    const { baselines } = (await documentOf(words)) as { baselines: readonly unknown[] };
    expect(baselines.length).toBeGreaterThan(0);
    const out = at("rel", "e.csv");
    expect(await refusalOf(["predict-links", at("rel", "run"), ...LINKS, "--out", out, "--overwrite"])).toContain(
      `${out} is an input of the run`,
    );
  });

  it("is found although the current folder has another file of the same name", async () => {
    mkdirSync(at("here"));
    writeFileSync(at("here", "e.csv"), "source,target\np1,p2\n");
    const words = ["predict-links", "../rel/run", ...LINKS];
    const { code, stdout, stderr } = await hmge(words, { cwd: at("here") });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("hmge evaluate links ../rel/e.csv");
  });

  it("is found by the records of earlier versions, which do not name the folder of the command", async () => {
    const file = at("rel", "run", "run.json");
    const { workingFolder, ...record } = JSON.parse(readFileSync(file, "utf8"));
    expect(workingFolder).toBe("..");
    writeFileSync(file, JSON.stringify(record));
    expect(await documentOf(["predict-links", at("rel", "run"), ...LINKS])).toMatchObject({ relation: "friend" });
  });

  it("is found after everything has moved, and its graph is refused once it has changed", async () => {
    renameSync(at("rel"), at("moved"));
    const run = at("moved", "sibling");
    expect(await documentOf(["predict-links", run, ...LINKS])).toMatchObject({ relation: "friend" });
    writeFileSync(at("moved", "data", "e.csv"), "source,target\np1,p2\n");
    expect(await refusalOf(["predict-links", run, ...LINKS])).toMatch(/e\.csv has changed since the run/);
  });
});
