/** The gallery: every chart with a little data. The tests compare these drawings with stored ones; the docs show them. */

import {
  accuracyCurve,
  degreeHistogram,
  groupedBars,
  heatmap,
  lineChart,
  lossChart,
  relationWeightsChart,
  scatter,
  smallMultiples,
} from "../../src/report/charts/index.js";

export const gallery: Readonly<Record<string, () => Promise<string>>> = {
  "loss-chart"() {
    const losses = Array.from({ length: 120 }, (_, i) => 0.2 + 0.5 * Math.exp(-i / 25) + 0.02 * Math.sin(i * 1.7));
    return lossChart(losses, 1 + losses.indexOf(Math.min(...losses)));
  },

  "loss-chart-log"() {
    const losses = Array.from({ length: 5000 }, (_, i) => Math.exp(-i / 700) + 0.002 + 0.001 * Math.sin(i * 0.9));
    return lossChart(losses, 4990);
  },

  "relation-weights-chart"() {
    const relations = ["family", "neighbours", "work", "a <relation> & a name that is far too long"];
    return relationWeightsChart({ relations, initial: [0.25, 0.25, 0.25, 0.25], final: [0.41, 0.22, 0.31, 0.06] });
  },

  "accuracy-curve"() {
    const x = [3, 5, 9, 15, 21, 31, 41];
    const curve = (slope: number) => x.map((d) => ({ x: d, y: 1 - slope * (d - 3), deviation: 0.0006 * d }));
    const bounds = [{ name: "true communities", points: x.map((d) => ({ x: d, y: 1 - 0.0012 * (d - 3) })) }];
    const series = [
      { name: "HMGE", points: curve(0.005) },
      { name: "published", points: curve(0.0045) },
    ];
    return accuracyCurve(series, { bounds });
  },

  "line-chart"() {
    const points = [8, 16, 32, 64, 128, 256].map((dim, i) => ({ x: dim, y: 0.7 + 0.05 * i - 0.006 * i * i }));
    return lineChart([{ name: "macro-F1", points }], { logX: true, xLabel: "dim", yLabel: "macro-F1" });
  },

  "grouped-bars"() {
    const scores = { hmge: [0.89, 0.91, 0.74], dmgi: [0.86, 0.88, 0.7], spectral: [0.8, 0.83, 0.77] };
    const groups = ["macro-F1", "micro-F1", "AUC"];
    const rows = Object.entries(scores).flatMap(([series, values]) =>
      values.map((value, i) => ({ group: groups[i], series, value, deviation: 0.01 * (i + 1) })),
    );
    return groupedBars(rows, { yLabel: "score" });
  },

  scatter() {
    return scatter(spiral(300, "abcdefghij"), { colorLabel: "class" });
  },

  "scatter-amount"() {
    const points = spiral(300).map((point, i) => ({ ...point, label: Math.log10(1 + i) }));
    return scatter(points, { colorLabel: "log₁₀ degree" });
  },

  "small-multiples"() {
    const groups = [60, 90, 120].map((count) => ({ heading: `${count} points`, points: spiral(count, "ab") }));
    return smallMultiples(groups);
  },

  heatmap() {
    const names = ["family", "neighbours", "work", "societies", "market"];
    const values = names.map((_, r) => names.map((_, c) => (r === c ? 1 : 1 / (2 + Math.abs(r - c)))));
    return heatmap({ rows: names, columns: names, values }, { title: "Overlap of relations" });
  },

  "degree-histogram"() {
    return degreeHistogram(Array.from({ length: 500 }, (_, i) => Math.floor(300 / (1 + i))));
  },
};

function spiral(count: number, labels = "") {
  return Array.from({ length: count }, (_, i) => {
    const label = labels === "" ? undefined : `class ${labels[(i * i) % labels.length]}`;
    return { x: i * Math.cos(i), y: i * Math.sin(i), label, title: `<node> ${i}` };
  });
}
