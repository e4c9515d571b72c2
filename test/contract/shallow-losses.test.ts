/** The loss of one step of the models that draw edges, against plain loops over what was drawn. */

import { describe, expect, test } from "vitest";
import { crossmna, mell, mtne } from "../../src/models/index.js";
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

test.each([false, true])("mell, directed: %s", async (directed) => {
  const graph = someGraph(directed);
  const weights = { norm: 3, variance: 0.7, relationNorm: 0.4 };
  const { loss, row, drawn } = await runStep(mell, graph, { dim: 6, negatives: 2, ...weights });
  const nodes = Array.from({ length: graph.numNodes }, (_, i) => i);
  const names = graph.relations.map(({ name }) => name);
  const table = (side: string, name: string, i: number) => row(`${directed ? side : "vectors"}.${name}`, i);
  const squares = (x: readonly number[]) => dot(x, x);

  let expected = 0;
  for (const side of directed ? ["head", "tail"] : ["vectors"]) {
    for (const i of nodes) {
      const vectors = names.map((name) => table(side, name, i));
      const mean = vectors[0].map((_, k) => vectors.reduce((sum, v) => sum + v[k], 0) / vectors.length);
      for (const v of vectors) {
        expected += (weights.norm / graph.numNodes) * squares(v);
        expected += weights.variance * squares(v.map((x, k) => x - mean[k]));
      }
    }
  }
  const pairs = drawn("sampleNonEdges");
  let [numEdges, numOthers] = [0, 0];
  graph.relations.forEach(({ name, rowStart, columns }, l) => {
    const r = row(`relation.${name}`, 0);
    expected += weights.relationNorm * squares(r);
    const logit = (i: number, j: number) => {
      const head = table("head", name, i).map((x, k) => x + r[k]);
      return dot(head, table("tail", name, j));
    };
    for (const i of nodes) {
      for (const j of columns.subarray(rowStart[i], rowStart[i + 1])) {
        expected += surprise(logit(i, j));
        numEdges++;
      }
    }
    const [lefts, rights] = [pairs[2 * l], pairs[2 * l + 1]];
    lefts.forEach((i, e) => {
      expect(columns.subarray(rowStart[i], rowStart[i + 1])).not.toContain(rights[e]);
      expected += surprise(-logit(i, rights[e]));
      numOthers++;
    });
  });
  // rounded in each of three relations
  expect(Math.abs(numOthers - 2 * numEdges)).toBeLessThanOrEqual(1.5);
  expect(Math.abs(loss / expected - 1)).toBeLessThan(1e-12);
});

describe.each(["common", "consensus"])("mtne, %s", (sharing) => {
  test.each([
    ["first", false],
    ["second", false],
    ["first", true],
    ["second", true],
  ])("%s order, directed: %s", async (order, directed) => {
    const graph = someGraph(directed);
    const [batch, negatives, coupling] = [37, 2, 0.6];
    const given = { dim: 5, sharing, order, batch, negatives, coupling };
    const { loss, row, drawn } = await runStep(mtne, graph, given, { random: true });
    const own = (name: string, i: number) => row(`own.${name}`, i);
    const vector = (name: string, i: number) => {
      const common = sharing === "common" ? row("common", i) : undefined;
      return own(name, i).map((x, k) => x + (common?.[k] ?? 0));
    };
    const target = (name: string, j: number) => (order === "second" ? row("context", j) : vector(name, j));
    const weights = graph.relations.map(({ values, columns }) =>
      values === undefined ? columns.length : values.reduce((sum, e) => sum + e, 0),
    );
    const total = weights.reduce((sum, weight) => sum + weight);

    let expected = 0;
    // per relation: the sources, their neighbours, the negatives
    const nodes = drawn("sampleNodes");
    const walks = drawn("randomWalks");
    let used = 0;
    graph.relations.forEach(({ name, columns, rowStart }, k) => {
      if (columns.length === 0) return;
      const [sources, others] = [nodes[2 * used], nodes[2 * used + 1]];
      const ends = walks[used++];
      const factor = (batch * weights[k]) / total / sources.length;
      sources.forEach((i, b) => {
        const [from, to] = [ends[2 * b], ends[2 * b + 1]];
        expect(from).toBe(i);
        expect(columns.subarray(rowStart[i], rowStart[i + 1])).toContain(to);
        expected += factor * surprise(dot(vector(name, i), target(name, to)));
        for (const n of others.slice(b * negatives, (b + 1) * negatives)) {
          expected += factor * surprise(-dot(vector(name, i), target(name, n)));
        }
      });
    });
    expect(used).toBe(2);

    const penalty = (coupling * batch) / total;
    for (let i = 0; i < graph.numNodes; i++) {
      const vectors = graph.relations.map(({ name }) => own(name, i));
      const mean = vectors[0].map((_, k) => vectors.reduce((sum, v) => sum + v[k], 0) / vectors.length);
      for (const v of vectors) {
        const rest = sharing === "common" ? v : v.map((x, k) => x - mean[k]);
        expected += penalty * dot(rest, rest);
      }
      if (sharing === "common") expected += penalty * dot(row("common", i), row("common", i));
    }
    expect(Math.abs(loss / expected - 1)).toBeLessThan(1e-12);
  });
});
