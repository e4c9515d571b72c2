import { expect, test } from "vitest";
import { createEngine } from "../../engine/create-engine.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { hmge } from "../../models/hmge.js";
import { forecast } from "./compare-forecast.js";

test("if training may take long, the forecast states the time, the slowest model first", async () => {
  const { graph } = generateSbm({ nodes: 100, relations: 2, pIn: 0.2, pOut: 0.05, seed: 1 });
  const loaded = { ...graph, files: [], notes: [] };
  const variants = ["1", "500"].map((epochs) => ({
    label: `hmge ${epochs} epochs`,
    model: hmge,
    settings: { epochs },
  }));
  const engine = await createEngine("wasm", 1);
  const forecastOf = (trainings: number) => forecast(loaded, variants, { trainings, engine, force: false });
  expect(await forecastOf(1)).toBeUndefined();
  expect(await forecastOf(20_000)).toMatch(
    /^training may take up to .* \(hmge 500 epochs .*, hmge 1 epochs .*\); .*Ctrl-C keeps/,
  );
});
