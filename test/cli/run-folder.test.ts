/** Folders of runs: faults of the system, files that do not belong together, the user's own models, more epochs. */

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { embed } from "../../src/cli/embed/embed.js";
import { neighbors } from "../../src/cli/neighbors/neighbors.js";
import { refusalOf, runCommand } from "./in-process.js";
import { hmge, listFolder, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const edges = writeSmallGraph(folder, { nodes: 40, perRelation: 80 });
const SHORT = ["--model", "hmge", "--dim", "4", "--threads", "1", "--no-report"];
const training = (out: string, ...more: string[]) => {
  return [edges, "--out", out, ...SHORT, ...(more.includes("--epochs") ? [] : ["--epochs", "2"]), ...more];
};
const train = (out: string, ...more: string[]) => runCommand(embed, training(out, ...more));
const refusal = (words: readonly string[]) => refusalOf(["embed", ...words]);

describe("the folder of a run", () => {
  beforeAll(async () => {
    await train(at("run"));
    await train(at("other"), "--seed", "2");
    writeFileSync(at("new.csv"), "source,target,relation,weight\nnew,p1,friend,1\nnew,p2,friend,2\n");
  });

  it("is refused when its vectors belong to another run", async () => {
    mkdirSync(at("mixed"));
    for (const name of listFolder(at("run")).filter((file) => file !== "checkpoint")) {
      copyFileSync(at("run", name), at("mixed", name));
    }
    const place = (out: string) => [at("new.csv"), "--model-from", at("mixed"), "--out", at(out)];
    expect((await runCommand(embed, place("placed"))).code).toBe(0);
    expect((await runCommand(neighbors, [at("placed"), "new"])).code).toBe(0);
    copyFileSync(at("other", "embeddings.parquet"), at("mixed", "embeddings.parquet"));
    expect(await refusal(place("misplaced"))).toContain("embeddings.parquet: does not hold the vectors of the run");
    expect(existsSync(at("misplaced"))).toBe(false);
    expect(await refusalOf(["neighbors", at("mixed"), "p1"])).toContain("embeddings.parquet: does not hold");
  });

  it("is not replaced by nodes placed from it, even through a link", async () => {
    symlinkSync(at("run"), at("link"));
    const words = [at("new.csv"), "--model-from", at("run"), "--out", at("link"), "--overwrite"];
    expect(await refusal(words)).toContain("is also the folder of --model-from");
  });

  it("cannot be a broken or circular link, nor contain folders with the names of its files", async () => {
    symlinkSync(at("loop"), at("loop"));
    expect(await refusal(training(at("loop")))).toContain("leads back to itself");
    symlinkSync(at("nowhere"), at("dangling"));
    expect(await refusal(training(at("dangling")))).toContain("which does not exist");
    mkdirSync(at("odd", "run.json"), { recursive: true });
    expect(await refusal(training(at("odd"), "--overwrite"))).toContain("run.json: is a folder");
    mkdirSync(at("odd2"));
    writeFileSync(at("odd2", "checkpoint"), "");
    expect(await refusal(training(at("odd2")))).toContain("checkpoint: is a file");
  });

  it("may be called ~, which DuckDB would expand to the home folder", async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      await train("~");
      expect((await runCommand(neighbors, ["~", "p1"])).code).toBe(0);
    } finally {
      process.chdir(before);
    }
    expect(listFolder(at("~"))).toContain("embeddings.parquet");
  });

  it.skipIf(process.platform === "win32")("is not created when the system limits the size of files", async () => {
    const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
    const words = ["embed", edges, "--out", at("limited"), "--epochs", "2", ...SHORT];
    const script = 'ulimit -f 2; exec "$@"';
    const ended = await promisify(execFile)("bash", ["-c", script, "bash", process.execPath, program, ...words]).catch(
      (error: unknown) => error,
    );
    expect(ended).toMatchObject({ code: 2 });
    expect(String(Reflect.get(Object(ended), "stderr"))).toMatch(/hmge: .*limited: cannot write: .*ulimit -f.*\n$/);
    expect(existsSync(at("limited"))).toBe(false);
  });

  it("stores the column names of its training", async () => {
    const text = readFileSync(edges, "utf8").replace("source,target", "who,whom");
    writeFileSync(at("renamed.csv"), text);
    const columns = ["--columns", "source=who,target=whom"];
    const out = at("renamed");
    await runCommand(embed, [at("renamed.csv"), ...columns, "--out", out, "--epochs", "2", ...SHORT]);
    writeFileSync(at("renamed-new.csv"), "who,whom,relation,weight\nnew,p1,friend,1\n");
    const place = (file: string, to: string) => [at(file), "--model-from", out, "--out", at(to)];
    const placed = await runCommand(embed, place("renamed-new.csv", "placed-renamed"));
    expect(placed.text).toContain("note: columns as in the training: source=who,target=whom");
    expect(placed.document).toMatchObject({ placed: 1 });
    expect(await refusal(place("new.csv", "placed-other"))).toContain("use --columns if they have other names");
    const sameNames = ["--columns", "source=source,target=target"];
    const named = await runCommand(embed, [...place("new.csv", "placed-other"), ...sameNames]);
    expect(named.document).toMatchObject({ placed: 1 });
  });

  it("continues with more epochs if the learning rate is constant, and is refused otherwise", async () => {
    await train(at("whole"), "--epochs", "6");
    await train(at("parts"), "--epochs", "3");
    const more = await train(at("parts"), "--epochs", "6", "--resume");
    expect(more.text).toContain("resuming after epoch 3");
    const vectors = (name: string) => readFileSync(at(name, "embeddings.parquet"));
    expect(vectors("parts").equals(vectors("whole"))).toBe(true);
    const falling = (...words: string[]) => {
      return [edges, "--out", at("falling"), "--model", "mne", ...SHORT.slice(2), ...words];
    };
    await runCommand(embed, falling("--epochs", "1"));
    expect(listFolder(at("falling"))).not.toContain("checkpoint");
    expect(await refusal(falling("--epochs", "2", "--resume"))).toContain(
      "the learning rate of mne falls until the last epoch",
    );
  });
});

describe("the user's own model", () => {
  it("is trained from a file outside the package, resumed, and refused once the file has changed", async () => {
    const example = readFileSync(new URL("../../examples/own-model.mjs", import.meta.url), "utf8");
    writeFileSync(at("my model.mjs"), example);
    const words = (...more: string[]) => {
      return ["embed", edges, "--model", at("my model.mjs"), "--out", at("own"), ...SHORT.slice(2), ...more];
    };
    const first = await hmge(words("--epochs", "3", "--quiet"));
    expect([first.code, first.stdout, first.stderr]).toEqual([0, "", ""]);
    const record = JSON.parse(readFileSync(at("own", "run.json"), "utf8"));
    expect(record).toMatchObject({ model: "smooth", modelFile: { path: at("my model.mjs") } });
    const more = await hmge(words("--epochs", "5", "--resume"));
    expect([more.code, more.stderr.includes("resuming after epoch 3")]).toEqual([0, true]);
    writeFileSync(at("my model.mjs"), `${example}\n// changed\n`);
    const changed = await hmge(words("--epochs", "7", "--resume"));
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(/other settings \(.*model file [0-9a-f]{12}, now [0-9a-f]{12}\)/);
  });
});
