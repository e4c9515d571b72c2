/** Compares the loss of one step of the models that draw edges with plain loops over the drawn edges and nodes. */

import { describe, expect, test } from "vitest";
import { crossmna, mell, mtne, multiview } from "../../src/models/index.js";
import { dot, logisticLoss, runStep, someGraph } from "./run-step.js";

test.each([false, true])("the loss of crossmna equals a plain loop, directed: %s", async (directed) => {
  const graph = someGraph(directed);
  const [batch, negatives] = [40, 2];
  const { loss, row, drawn } = await runStep(crossmna, graph, { dim: 6, intraDim: 4, batch, negatives });
  const [sources, targets, relations] = drawn("sampleEntries");
  const [others] = drawn("sampleByGroup");
  const clipNorm = (x: readonly number[]) => x.map((value) => value / Math.max(1, Math.sqrt(dot(x, x))));
  const intra = (i: number, k: number) => {
    const r = clipNorm(row("relations", k));
    clipNorm(row("inter", i)).forEach((u, a) => {
      clipNorm(row("weight", a)).forEach((w, c) => {
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
    expected += logisticLoss(dot(intra(i, k), intra(targets[b], k)));
    for (const n of others.slice(b * negatives, (b + 1) * negatives)) {
      expect(columns.includes(n) || rowStart[n + 1] > rowStart[n]).toBe(true);
      expected += logisticLoss(-dot(intra(i, k), intra(n, k)));
    }
  }
  // Both sums are in float64; only their order differs.
  expect(Math.abs(loss / expected - 1)).toBeLessThan(1e-12);
});

test.each([false, true])("the loss of mell equals a plain loop, directed: %s", async (directed) => {
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
        expected += logisticLoss(logit(i, j));
        numEdges++;
      }
    }
    const [lefts, rights] = [pairs[2 * l], pairs[2 * l + 1]];
    lefts.forEach((i, e) => {
      expect(columns.subarray(rowStart[i], rowStart[i + 1])).not.toContain(rights[e]);
      expected += logisticLoss(-logit(i, rights[e]));
      numOthers++;
    });
  });
  // The number of non-edges is rounded in each of three relations, so the sum differs by at most 3 · 0.5.
  expect(Math.abs(numOthers - 2 * numEdges)).toBeLessThanOrEqual(1.5);
  expect(Math.abs(loss / expected - 1)).toBeLessThan(1e-12);
});

describe.each(["common", "consensus"])("the loss of mtne, sharing %s", (sharing) => {
  test.each([
    ["first", false],
    ["second", false],
    ["first", true],
    ["second", true],
  ])("equals a plain loop, %s order, directed: %s", async (order, directed) => {
    const graph = someGraph(directed);
    const [batch, negatives, coupling] = [37, 2, 0.6];
    const options = { dim: 5, sharing, order, batch, negatives, coupling };
    const { loss, row, drawn } = await runStep(mtne, graph, options, { random: true });
    const relationVector = (name: string, i: number) => row(`own.${name}`, i);
    const vector = (name: string, i: number) => {
      const common = sharing === "common" ? row("common", i) : undefined;
      return relationVector(name, i).map((x, k) => x + (common?.[k] ?? 0));
    };
    const target = (name: string, j: number) => (order === "second" ? row("context", j) : vector(name, j));
    const weights = graph.relations.map(({ values, columns }) =>
      values === undefined ? columns.length : values.reduce((sum, e) => sum + e, 0),
    );
    const total = weights.reduce((sum, weight) => sum + weight);

    let expected = 0;
    // For each relation with edges, sampleNodes draws the sources and the negatives, and randomWalks a neighbour of each source.
    const nodes = drawn("sampleNodes");
    const walks = drawn("randomWalks");
    let numTrained = 0;
    graph.relations.forEach(({ name, columns, rowStart }, k) => {
      if (columns.length === 0) return;
      const [sources, others] = [nodes[2 * numTrained], nodes[2 * numTrained + 1]];
      const ends = walks[numTrained++];
      const factor = (batch * weights[k]) / total / sources.length;
      sources.forEach((i, b) => {
        const [from, to] = [ends[2 * b], ends[2 * b + 1]];
        expect(from).toBe(i);
        expect(columns.subarray(rowStart[i], rowStart[i + 1])).toContain(to);
        expected += factor * logisticLoss(dot(vector(name, i), target(name, to)));
        for (const n of others.slice(b * negatives, (b + 1) * negatives)) {
          expected += factor * logisticLoss(-dot(vector(name, i), target(name, n)));
        }
      });
    });
    // the third relation has no edges
    expect(numTrained).toBe(2);

    const penalty = (coupling * batch) / total;
    for (let i = 0; i < graph.numNodes; i++) {
      const vectors = graph.relations.map(({ name }) => relationVector(name, i));
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

test.each([false, true])("the loss of multiview equals a plain loop, directed: %s", async (directed) => {
  const graph = someGraph(directed);
  const [batch, negatives] = [300, 2];
  const options = { dim: 8, batch, negatives, dropout: 0 };
  const { loss, row, drawn } = await runStep(multiview, graph, options, { random: true });
  const [sources, targets, relations] = drawn("sampleEntries");
  const [others, left, right] = drawn("sampleNodes");
  const numNodes = graph.numNodes;
  const nodes = Array.from({ length: numNodes }, (_, i) => i);
  /** Number of copies of each pair, in proportion to its weight: four for the median weight, at least 1, at most 16; 1 if all weights are equal. */
  const copies = graph.relations.map(({ rowStart, columns, values }) => {
    const weight = nodes.map(() => nodes.map(() => 0));
    for (const i of nodes) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        weight[i][columns[e]] += values?.[e] ?? 1;
        if (directed) weight[columns[e]][i] += values?.[e] ?? 1;
      }
    }
    const present = weight.flat().filter((w) => w > 0);
    const median = present.sort((a, b) => a - b)[present.length >> 1];
    const hasDifferentWeights = values?.some((w) => w !== values[0]) ?? false;
    const copiesOf = (w: number) => (hasDifferentWeights ? Math.min(16, Math.max(1, Math.round((4 * w) / median))) : 1);
    return weight.map((weights) => weights.map((w) => (w > 0 ? copiesOf(w) : 0)));
  });
  // Some edges have several copies; otherwise this test would not cover edge weights.
  expect(copies.flat(2).some((count) => count > 1)).toBe(true);
  const linked = (d: number, i: number, j: number) => i !== j && copies[d][i][j] > 0;
  // Number of copies of an edge of median weight. Degrees and P, the mean normalised adjacency matrix, count so many copies as one edge.
  const medianCopies = copies.map((ofRelation) => (ofRelation.flat().some((count) => count > 1) ? 4 : 1));
  const degree = (d: number, i: number) => copies[d][i].reduce((sum, count) => sum + count / medianCopies[d], 0);
  const logarithms = graph.relations.map((_, d) => nodes.map((i) => Math.log(1 + degree(d, i))));
  const centred = (values: readonly number[]) => {
    const mean = values.reduce((sum, x) => sum + x, 0) / numNodes;
    // δ of the decoder, the centred logarithm of the degree, is stored in single precision.
    return values.map((x) => Math.fround(x - mean));
  };
  const delta = logarithms.map(centred);
  const deltaOfAll = centred(
    nodes.map((i) => Math.log(1 + graph.relations.reduce((sum, _, d) => sum + degree(d, i), 0))),
  );
  const vectors = nodes.map((i) => {
    const sum = row("table", i);
    graph.relations.forEach((_, d) => {
      for (const j of nodes) {
        if (i !== j && !linked(d, i, j)) continue;
        const share = (i === j ? 1 : copies[d][i][j] / medianCopies[d]) / graph.relations.length;
        const weight = share / Math.sqrt((degree(d, i) + 1) * (degree(d, j) + 1));
        row("table", j).forEach((x, k) => {
          sum[k] += weight * x;
        });
      }
    });
    return sum;
  });
  const decoderScore = (d: number, i: number, j: number) => {
    const weights = row("decoder", d);
    const product = vectors[i].reduce((sum, x, k) => sum + x * weights[k] * vectors[j][k], 0);
    // the columns of the diffusion, which are zero here, have weights between those of the vectors and t, a and b
    const [t, a, b] = weights.slice(-3);
    return product + t * (deltaOfAll[i] + deltaOfAll[j]) + a * (delta[d][i] + delta[d][j]) + b;
  };
  const scoreWithoutRelation = (i: number, j: number) => dot(vectors[i], vectors[j]) + row("offset", 0)[0];
  // Edges are drawn in proportion to their copies, so drawn edges have more copies on average than all edges have.
  const copiesOfDrawn = (d: number) =>
    sources.flatMap((i, b) => (relations[b] === d ? [copies[d][i][targets[b]]] : []));
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  graph.relations.forEach((_, d) => {
    if (medianCopies[d] === 1) return;
    const present = copies[d].flat().filter((count) => count > 0);
    const expectedMean = mean(present.map((count) => count ** 2)) / mean(present);
    expect(mean(copiesOfDrawn(d))).toBeGreaterThan((mean(present) + expectedMean) / 2);
  });
  let expected = 0;
  const addPair = (sign: number, weight: number, d: number, i: number, j: number) => {
    expected += weight * (logisticLoss(sign * decoderScore(d, i, j)) + logisticLoss(sign * scoreWithoutRelation(i, j)));
  };
  for (let b = 0; b < batch; b++) {
    const d = relations[b];
    expect(linked(d, sources[b], targets[b])).toBe(true);
    addPair(1, 1 / batch, d, sources[b], targets[b]);
    for (let f = 0; f < negatives; f++) {
      addPair(-1, 0.5 / (batch * negatives), d, sources[b], others[b * negatives + f]);
      addPair(-1, 0.5 / (batch * negatives), d, left[b], right[b * negatives + f]);
    }
  }
  // The factors of the mean over the relations are constants in single precision.
  expect(Math.abs(loss / expected - 1)).toBeLessThan(1e-6);
});
