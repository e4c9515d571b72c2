import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hmge, PROGRAM, temporaryFolder } from "./program.js";

const folder = temporaryFolder();

/** Runs the program with `text` on standard input, or with an open standard input; `copies` is its folder for temporary files. */
function withInput(words: readonly string[], text: string | Uint8Array | undefined, copies: string) {
  mkdirSync(copies, { recursive: true });
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: { ...process.env, TMPDIR: copies } });
  let output = "";
  child.stdout.on("data", (piece) => {
    output += piece;
  });
  child.stderr.on("data", (piece) => {
    output += piece;
  });
  if (text !== undefined) child.stdin.end(text);
  const ended = new Promise<{ code: number | null; signal: string | null; output: string }>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, output }));
  });
  return { child, ended };
}

test.skipIf(process.platform === "win32")("standard input is read, and its copy is removed", async () => {
  const copies = join(folder, "read");
  const { ended } = withInput(["inspect", "-", "--json"], gzipSync("source,target\na,b\nb,c\n"), copies);
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ nodes: 3, files: ["standard input"], relations: [{ name: "edges" }] });
  expect(readdirSync(copies)).toEqual([]);
});

test.skipIf(process.platform === "win32")("Ctrl-C while standard input is copied leaves no copy", async () => {
  const copies = join(folder, "stopped");
  const { child, ended } = withInput(["inspect", "-"], undefined, copies);
  child.stdin.write("source,target\n");
  while (readdirSync(copies).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  expect((await ended).signal).toBe("SIGINT");
  expect(readdirSync(copies)).toEqual([]);
});

test("a damaged gzip file with padding exits with 2, an intact one with 0", async () => {
  const write = (name: string, ...parts: Uint8Array[]) => {
    const path = join(folder, name);
    writeFileSync(path, Buffer.concat(parts));
    return path;
  };
  const packed = gzipSync("source,target\na,b\nb,c\n");
  const sound = await hmge(["inspect", write("sound.csv.gz", packed, Buffer.alloc(512))]);
  expect(sound.code).toBe(0);
  const damaged = await hmge(["inspect", write("damaged.csv.gz", packed, Buffer.alloc(512), Buffer.from("x"))]);
  expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining("other bytes follow its end")]);
});
