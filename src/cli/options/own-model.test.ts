import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { inputError, temporaryFolder } from "../../io/test-files.js";
import { isModelPath, loadOwnModel, modelFileOf } from "./own-model.js";

const { folder, write } = temporaryFolder();

const MODEL = `{
  name: "mine", paper: "none", year: 2026, summary: "a table", cost: "little", options: {},
  presets: { default: { doc: "as it is", options: {} } },
  training: { epochs: 3, patience: 3, learningRate: 0.05, weightDecay: 0 },
  prepare: () => ({}), init: () => ({}), embed: () => undefined,
  loss() { throw new TypeError("no such op\\nsecond line"); },
  async precompute() { throw new RangeError("too long"); },
}`;

let numFiles = 0;
const load = (text: string, taken: readonly string[] = []) => loadOwnModel(write(`${numFiles++}.mjs`, text), taken);

test("distinguishes a path from a name", () => {
  expect(["./mine.mjs", "mine.mjs", "models/mine", "C:\\mine.js", "mine.ts"].map(isModelPath)).not.toContain(false);
  expect(["hmge", "multiview", "mine.model"].map(isModelPath)).not.toContain(true);
});

test("the default export, or the only model among several exports, is taken with the hash of its file", async () => {
  const first = await load(`export default ${MODEL}`);
  const second = await load(`export const width = 3;\nexport const mine = ${MODEL};`);
  expect([first.name, second.name]).toEqual(["mine", "mine"]);
  expect(modelFileOf(first)?.path).toContain(folder);
  expect(modelFileOf(first)?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(modelFileOf(second)?.sha256).not.toBe(modelFileOf(first)?.sha256);
});

test("files without a model are refused in one line", async () => {
  for (const [text, message] of [
    ["export const a = 1;", "exports a, none of which is a model"],
    ["const a = 1;", "exports nothing"],
    ["export default 3;", "lacks name, paper, summary, cost, year"],
    [`const m = ${MODEL}; export const a = m; export const b = m;`, "exports 2 models (a, b)"],
    ["throw new Error('boom\\nsecond line');", "cannot be loaded: Error: boom"],
    [`export default { ...${MODEL}, presets: {} };`, "no preset"],
  ]) {
    expect(await inputError(load(text))).toContain(message);
  }
  expect(await inputError(load(`export default ${MODEL}`, ["hmge", "mine"]))).toContain('called "mine"');
  expect(await inputError(loadOwnModel(`${folder}/none.mjs`, []))).toContain("no such file");
  mkdirSync(`${folder}/sub`);
  expect(await inputError(loadOwnModel(`${folder}/sub`, []))).toContain("this is a folder");
});

test("what its functions throw is the author's to mend, and names the file", async () => {
  const model = await load(`export default ${MODEL}`);
  expect(() => Reflect.apply(model.loss, model, [])).toThrow(/\.mjs: loss\(\) of mine fails: TypeError: no such op$/);
  const ahead: unknown = Reflect.apply(model.precompute!, model, []);
  expect(await inputError(Promise.resolve(ahead))).toContain("precompute() of mine fails: RangeError: too long");
});
