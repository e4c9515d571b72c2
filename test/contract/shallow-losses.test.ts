/** The loss of one step of the models that draw edges, against plain loops over what was drawn. */

import { expect, test } from "vitest";
import { crossmna } from "../../src/models/index.js";
import { dot, runStep, someGraph, surprise } from "./run-step.js";

test.each([false, true])("crossmna, directed: %s", async (directed) => {
  const graph = someGraph(directed);
  const [batch, negatives] = [40, 2];
  const { loss, row, drawn } = await runStep(crossmna, graph, { dim: 6, intraDim: 4, batch, negatives });
  const [sources, targets, relations] = drawn("sampleEntries");
  const [others] = drawn("sampleByGroup");
  const short = (x: readonly number[]) => x.map((value) => value / Math.max(1, Math.sqrt(dot(x, x))));
  const intra = (i: number, k: number) => {
    const r = short(row("relations", k));
    short(row("inter", i)).forEach((u, a) => {
      short(row("weight", a)).forEach((w, c) => {
        r[c] += u * w;
      });
    });
    return r;
  };
  let expected = 0;
  for (let b = 0; b < batch; b++) {
    const [i, k] = [sources[b], relations[b]];
    const { rowStart, columns } = graph.relations[k];
    expect([...columns.subarray(rowStart[i], rowStart[i + 1])]).toContain(targets[b]);
    expected += surprise(dot(intra(i, k), intra(targets[b], k)));
    for (const n of others.slice(b * negatives, (b + 1) * negatives)) {
      expect(columns.includes(n) || rowStart[n + 1] > rowStart[n]).toBe(true);
      expected += surprise(-dot(intra(i, k), intra(n, k)));
    }
  }
  // float64 both, summed in another order
  expect(Math.abs(loss / expected - 1)).toBeLessThan(1e-12);
});
