/** Graphs of which few directions are all that can be known. */

import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { generateSbm } from "../graph/synthetic/sbm.js";
import { holdOutLinks } from "../tasks/held-out-links.js";
import { decoderScorer, evaluateLinks, type PairScorer, scorePairs } from "../tasks/link-prediction.js";
import { readDecoder } from "../train/decoder.js";
import { startRun } from "../train/train.js";
import { multiview } from "./multiview.js";

test("held-out edges of noisy groups are told as well as the groups themselves tell them", async () => {
  const { graph, communities } = generateSbm({ nodes: 500, relations: 3, pIn: 0.08, pOut: 0.02, seed: 4 });
  const { training, tests } = holdOutLinks(graph, { seed: 1 });
  const auc = (scorer: PairScorer) => evaluateLinks(tests, scorePairs(tests, scorer)).mean.auc;
  const rng = new Rng(1, "ties");
  const told = auc((relation, { source, target }) =>
    Float64Array.from(source, (a, i) => {
      const alike = communities[relation][a] === communities[relation][target[i]];
      return (alike ? 1 : 0) + 1e-3 * rng.uniform();
    }),
  );
  const run = await startRun(training, multiview, { seed: 1, withRelations: true });
  for await (const _ of run);
  expect(run.views.map(({ name }) => name)).toEqual(["edges", "spectral"]);
  expect(run.parameters().map(({ name }) => name)).not.toContain("table");
  expect(run.findings).toEqual(["a few directions are all that edges tell above noise; links are told by them"]);
  const decoder = readDecoder(run, multiview, training);
  await run.dispose();
  if (decoder === undefined) throw new Error("no decoder");
  // measured: 0.668 by the groups, 0.653 by the decoder; with a table of nodes, which learns noise, 0.615
  expect(told).toBeGreaterThan(0.6);
  expect(auc(decoderScorer(decoder))).toBeGreaterThan(told - 0.03);
});
