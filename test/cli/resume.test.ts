import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/core/record.js";
import { hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, listFolder, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const edges = writeSmallGraph(folder, { nodes: 60, perRelation: 200 });
const other = writeSmallGraph(folder, { nodes: 50, perRelation: 100, name: "other.csv" });
const vectors = (name: string) => readFileSync(join(at(name), "embeddings.parquet"));
const record = (name: string): RunRecord => JSON.parse(readFileSync(join(at(name), "run.json"), "utf8"));
const state = (name: string) => join(at(name), "checkpoint", "state.safetensors");
// a checkpoint after every epoch: a kill always finds one, and often interrupts the writing of one
const command = (name: string, ...more: string[]) => [
  "embed",
  edges,
  "--out",
  at(name),
  "--epochs",
  "150",
  "--dim",
  "16",
  "--checkpoint-every",
  "0",
  // test files run at the same time and use the other cores
  "--threads",
  "1",
  // a report takes longer than the training: only one resumed run writes it
  ...(more.includes("--resume") && name === "killed20" ? [] : ["--no-report"]),
  ...more,
];

/** Runs the program and sends it a signal `delay` milliseconds after its first checkpoint. */
async function interrupted(name: string, signal: NodeJS.Signals, delay: number) {
  let timer: NodeJS.Timeout | undefined;
  const ended = hmge(command(name), {
    onStart: (kill) => {
      timer = setInterval(() => {
        if (!existsSync(state(name))) return;
        clearInterval(timer);
        setTimeout(() => kill(signal), delay);
      }, 5);
    },
  });
  const result = await ended;
  clearInterval(timer);
  return result;
}

describe("hmge embed --resume", () => {
  beforeAll(async () => {
    expect((await hmgeInProcess(command("whole", "--quiet"))).code).toBe(0);
  });

  it("continues after a kill and ends with the same bits as an unbroken run", async () => {
    for (const delay of [20, 80]) {
      const name = `killed${delay}`;
      expect((await interrupted(name, "SIGKILL", delay)).signal).toBe("SIGKILL");
      expect(existsSync(join(at(name), "run.json"))).toBe(false);
      const again = await hmgeInProcess(command(name, "--resume"));
      expect(again.code).toBe(0);
      expect(again.stderr).toMatch(/resuming after epoch \d+/);
      expect(vectors(name).equals(vectors("whole"))).toBe(true);
      expect(record(name).losses).toEqual(record("whole").losses);
      const report = name === "killed20" ? ["report.html"] : [];
      expect(listFolder(at(name))).toEqual(["embeddings.parquet", "model.safetensors", ...report, "run.json"]);
    }
  });

  it("leaves a usable result when the terminal is closed", async () => {
    const ended = await interrupted("hung-up", "SIGHUP", 30);
    expect([ended.code, ended.signal]).toEqual([0, null]);
    expect(record("hung-up").stopReason).toBe("aborted");
    expect(listFolder(at("hung-up"))).toContain("embeddings.parquet");
  });

  it("leaves a usable result at Ctrl-C and continues from it", async () => {
    const ended = await interrupted("stopped", "SIGINT", 30);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("interrupted");
    expect(ended.stdout).toContain("--resume");
    const { stopReason, epochs, bestEpoch, bestLoss, losses } = record("stopped");
    expect(stopReason).toBe("aborted");
    expect(epochs).toBeLessThan(150);
    // multiview keeps the last parameters
    expect([bestEpoch, bestLoss]).toEqual([epochs, losses[epochs - 1]]);
    expect((await hmgeInProcess(["neighbors", at("stopped"), "p1"])).code).toBe(0);

    const started = record("stopped").started;
    expect((await hmgeInProcess(command("stopped", "--resume", "--quiet"))).code).toBe(0);
    expect(vectors("stopped").equals(vectors("whole"))).toBe(true);
    expect(record("stopped").losses).toEqual(record("whole").losses);
    expect(record("stopped").started).toBe(started);
  });

  it("reports that there is nothing to resume, or nothing left to do", async () => {
    const words = ["embed", other, "--out", at("fresh"), "--epochs", "3", "--no-report"];
    const fresh = await hmgeInProcess([...words, "--resume"]);
    expect(fresh.code).toBe(0);
    expect(fresh.stderr).toContain("nothing to resume; starting from the beginning");
    const before = statSync(join(at("fresh"), "run.json")).mtimeMs;
    const done = await hmgeInProcess([...words, "--resume"]);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("the run is finished (3 epochs)");
    expect(statSync(join(at("fresh"), "run.json")).mtimeMs).toBe(before);
    const longer = ["embed", other, "--out", at("fresh"), "--epochs", "4", "--dim", "8", "--resume"];
    expect(await refusalOf(longer)).toContain(
      "holds a finished run with other settings (dim 64, now 8; epochs 3, now 4)",
    );
    const directed = ["embed", other, "--out", at("fresh"), "--epochs", "3", "--directed", "--resume"];
    expect(await refusalOf(directed)).toContain("with other settings (directed not given, now true)");
    const copy = join(at("elsewhere"), basename(other));
    mkdirSync(at("elsewhere"));
    writeFileSync(copy, readFileSync(other, "utf8").split("\n").slice(0, -20).join("\n"));
    const changed = ["embed", copy, "--out", at("fresh"), "--epochs", "3", "--resume"];
    expect(await refusalOf(changed)).toContain("holds a finished run of another graph");
    expect(statSync(join(at("fresh"), "run.json")).mtimeMs).toBe(before);
  });

  it("refuses a checkpoint of another run and one that is damaged", async () => {
    await interrupted("bad", "SIGKILL", 0);
    const good = readFileSync(state("bad"));
    const refuse = async (words: readonly string[], message: RegExp) => {
      expect(`${await refusalOf([...words, "--quiet"])}\n`).toMatch(message);
      expect(listFolder(at("bad"))).toEqual(["checkpoint"]);
    };
    await refuse(command("bad"), /holds an unfinished run\. Add --resume/);
    await refuse(command("bad", "--resume", "--seed", "9"), /another seed/);
    await refuse(["embed", other, "--out", at("bad"), "--epochs", "150", "--dim", "16", "--resume"], /another graph/);
    // the learning rate falls until the last epoch, so a run continued with other epochs would be neither run
    await refuse(
      ["embed", edges, "--out", at("bad"), "--dim", "16", "--resume"],
      /made for 150 epochs, this run is for 300; the learning rate of this model falls.*Continue with 150 epochs, or start again with 300/,
    );
    await refuse(command("bad", "--resume", "--set", "dropout=0.1"), /other model options/);
    const damaged = Buffer.from(good);
    damaged[good.length - 100] ^= 0x40;
    const version = Buffer.from(good.toString("latin1").replace('\\"version\\":\\"0', '\\"version\\":\\"9'), "latin1");
    const advice =
      /state\.safetensors: the checkpoint is damaged: .+\. Train again with --overwrite instead of --resume\.\n$/;
    for (const [bytes, message] of [
      [good.subarray(0, good.length - 7), advice],
      [good.subarray(0, 4), advice],
      [Buffer.alloc(0), advice],
      [damaged, advice],
      [version, /another version/],
    ] as const) {
      writeFileSync(state("bad"), bytes);
      await refuse(command("bad", "--resume"), message);
      expect(readFileSync(state("bad")).equals(bytes)).toBe(true);
    }
  });

  it("refuses a second run into the folder until the first is killed", async () => {
    let second: Promise<string> | undefined;
    const first = hmge(command("claimed"), {
      onStart: (kill) => {
        const timer = setInterval(() => {
          if (second !== undefined || !existsSync(state("claimed"))) return;
          clearInterval(timer);
          // halted, so that the first run cannot end before the second is refused
          kill("SIGSTOP");
          second = refusalOf(command("claimed", "--overwrite")).finally(() => kill("SIGKILL"));
        }, 5);
      },
    });
    expect((await first).signal).toBe("SIGKILL");
    expect(await second).toMatch(/claimed: another run is writing to this folder now\./);
    expect((await hmgeInProcess(command("claimed", "--resume"))).code).toBe(0);
    expect(vectors("claimed").equals(vectors("whole"))).toBe(true);
  });

  it("lets exactly one of three runs that start together replace a killed run", async () => {
    expect((await interrupted("taken", "SIGKILL", 0)).signal).toBe("SIGKILL");
    const ended = await Promise.all([1, 2, 3].map(() => hmge(command("taken", "--overwrite"))));
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    for (const { code, stderr } of ended) if (code === 2) expect(stderr).toContain("another run is writing");
    expect(vectors("taken").equals(vectors("whole"))).toBe(true);
  });
});
