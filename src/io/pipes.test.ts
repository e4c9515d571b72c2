import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { loadGraph } from "./graph/load-graph.js";
import { isUnnamed, recordedName } from "./spool.js";
import { loadLabels } from "./tables/labels.js";
import { inputError, temporaryFolder, writeParquet } from "./test-files.js";

const { folder, write } = temporaryFolder();

const EDGES = "source,target\na,b\nb,c\nc,d\n";

/** A named pipe that delivers the content of a file once; `written` waits for the end of the writing process. */
function pipe(name: string, file: string): { path: string; written: () => Promise<unknown> } {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  const writer = spawn("sh", ["-c", 'cat "$1" > "$2"', "sh", file, path]);
  const ended = once(writer, "exit");
  return { path, written: () => ended };
}

function copies(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("hmge-input-"));
}

describe.skipIf(process.platform === "win32")("pipes", () => {
  test("are read like files of the same content, and leave no copy", async () => {
    const before = copies();
    const files = [
      write("plain.csv", EDGES),
      write("packed", gzipSync(EDGES)),
      await writeParquet(join(folder, "table"), `FROM '${write("for-parquet.csv", EDGES)}'`),
    ];
    for (const [number, file] of files.entries()) {
      const { path, written } = pipe(`pipe-${number}`, file);
      const graph = await loadGraph(path);
      await written();
      expect(graph.ids).toEqual(["a", "b", "c", "d"]);
      expect(graph.relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([[`pipe-${number}`, 3]]);
      expect(graph.files).toEqual([path]);
    }
    expect(copies()).toEqual(before);
  });

  test("can deliver labels and features", async () => {
    const labels = pipe("labels-pipe", write("labels.csv", "node,label\na,x\nb,y\n"));
    expect((await loadLabels(labels.path)).names).toEqual(["x", "y"]);
    const features = pipe("features-pipe", write("features.csv", "node,f\na,1\nb,2\nc,3\nd,4\n"));
    const graph = await loadGraph(write("edges.csv", EDGES), { features: features.path });
    expect(graph.features?.numColumns).toBe(1);
  });

  test("are named in messages about faults, and leave no copy", async () => {
    const before = copies();
    const { path } = pipe("broken", write("broken.csv", "source,target,weight\na,b,much\n"));
    expect(await inputError(loadGraph(path))).toContain(`${path}:2: weight "much"`);
    const empty = pipe("empty", write("nothing.csv", ""));
    expect(await inputError(loadGraph(empty.path))).toContain(`${empty.path}: no data arrived (0 bytes).`);
    expect(copies()).toEqual(before);
  });
});

test("numbered pipes are recorded under a name without the number", () => {
  expect(["-", "/dev/stdin", "/dev/fd/63", "/proc/self/fd/11"].every(isUnnamed)).toBe(true);
  expect(["./-", "letters", "/dev/fd/x"].some(isUnnamed)).toBe(false);
  expect(["-", "/dev/fd/63", "letters"].map(recordedName)).toEqual(["standard input", "a pipe", "letters"]);
});

describe("gzip files", () => {
  const packed = gzipSync(EDGES);
  const bytes = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

  test("may have zero bytes after their end", async () => {
    const before = copies();
    for (const zeros of [1, 512, 300_000]) {
      const path = write(`padded-${zeros}.csv.gz`, bytes(packed, new Uint8Array(zeros)));
      expect((await loadGraph(path)).report.rows).toBe(3);
    }
    const members = bytes(packed, gzipSync("d,e\n"), new Uint8Array(100));
    expect((await loadGraph(write("members.csv.gz", members))).report.rows).toBe(4);
    expect(copies()).toEqual(before);
  });

  test.each([
    ["garbage.csv.gz", bytes(packed, Buffer.from("garbage")), "damaged: other bytes follow its end"],
    ["later.csv.gz", bytes(packed, new Uint8Array(9), packed), "damaged: other bytes follow its end"],
    ["header.csv.gz", packed.subarray(0, 12), "the gzip file is cut off before its end"],
    ["twice.csv.gz", gzipSync(packed), "packed with gzip twice"],
    ["table.parquet.gz", gzipSync("PAR1\0\0PAR1"), "a Parquet file inside gzip"],
  ])("%s is refused", async (name, content, message) => {
    expect(await inputError(loadGraph(write(name, new Uint8Array(content))))).toContain(message);
  });
});
