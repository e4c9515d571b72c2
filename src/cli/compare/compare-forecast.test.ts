import { expect, test } from "vitest";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { hmge } from "../../models/hmge.js";
import { forecast } from "./compare-forecast.js";

test("a comparison says beforehand how long it may take if that is long, the slowest model first", async () => {
  const { graph } = generateSbm({ nodes: 100, relations: 2, pIn: 0.2, pOut: 0.05, seed: 1 });
  const loaded = { ...graph, files: [], notes: [] };
  const variants = ["1", "500"].map((epochs) => ({ label: `hmge of ${epochs}`, model: hmge, settings: { epochs } }));
  const ask = (trainings: number) => forecast(loaded, variants, { trainings, threads: 1, force: false });
  expect(await ask(1)).toBeUndefined();
  expect(await ask(20_000)).toMatch(/^training may take up to .* \(hmge of 500 .*, hmge of 1 .*\); .*Ctrl-C keeps/);
});
