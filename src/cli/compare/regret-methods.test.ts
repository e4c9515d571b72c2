import { describe, expect, test } from "vitest";
import { resolveTraining } from "../../train/train.js";
import { parseArguments } from "../options/parse-arguments.js";
import { COMPARE_OPTIONS } from "./compare-options.js";
import { readMethods } from "./regret-methods.js";

async function methodsOf(...words: string[]) {
  const { own, methods } = await readMethods(parseArguments({ options: COMPARE_OPTIONS }, words));
  const trained = methods.map(({ variant: { label, model, settings }, seeds, limitSeconds }) => {
    const { training, options } = resolveTraining(model, settings);
    return { label, epochs: training.epochs, dim: options["dim"], seeds, limitSeconds };
  });
  return { own, trained };
}

describe("the models of --regret", () => {
  test("the own model has its own epochs and seeds; rivals have fewer, and a limit", async () => {
    const { own, trained } = await methodsOf("--models", "dmgi,multiverse", "--dim", "8");
    expect(own).toBe("multiview");
    const [first, dmgi, multiverse] = trained;
    const alone = (await methodsOf("--own", "dmgi", "--models", "multiverse")).trained[0];
    expect(first).toMatchObject({ label: "multiview", dim: 8, seeds: [1, 2, 3, 4, 5], limitSeconds: undefined });
    expect(dmgi).toMatchObject({ label: "dmgi", dim: 8, epochs: 200, seeds: [1], limitSeconds: 600 });
    expect(alone.epochs).toBeGreaterThan(200);
    // a model that trains for fewer epochs keeps its number
    expect(multiverse.epochs).toBeLessThan(200);
  });

  test("all other models are rivals if --models is absent", async () => {
    const labels = (await methodsOf("--own", "mell")).trained.map(({ label }) => label);
    expect(labels[0]).toBe("mell");
    expect(labels.length).toBe(13);
    expect(new Set(labels).size).toBe(13);
  });

  test("--fill trains only the models that are named", async () => {
    const labels = async (...words: string[]) => (await methodsOf(...words)).trained.map(({ label }) => label);
    expect(await labels("--fill", "models", "--models", "dmgi")).toEqual(["dmgi"]);
    expect(await labels("--fill", "models", "--models", "multiview")).toEqual(["multiview"]);
    expect((await labels("--fill", "models", "--models", "all")).length).toBe(13);
    expect(await labels("--fill", "baselines")).toEqual([]);
  });
});
