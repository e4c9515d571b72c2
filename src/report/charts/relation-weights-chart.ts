/** Weight of each relation after training, with a mark at its initial weight. */

import { largestOf } from "../../numeric/extremes.js";
import { type ChartOptions, draw, shorten, textWidth, WIDTH } from "./draw.js";
import { categoryColor } from "./palette.js";

export interface RelationWeightsData {
  readonly relations: readonly string[];
  /** One weight per relation before training. */
  readonly initial: readonly number[];
  readonly final: readonly number[];
}

/** Height of a bar and its gap in SVG units. */
const BAR = 24;
/** Maximum number of letters of a relation's name. */
const MAX_LETTERS = 20;

/** Horizontal bars, one per relation, in the order of `data.relations`. */
export function relationWeightsChart(data: RelationWeightsData, options: ChartOptions = {}): Promise<string> {
  const { relations, initial, final } = data;
  const { width = WIDTH, xLabel = "weight" } = options;
  const rows = relations.map((name, i) => {
    // names cut to the same beginning stay apart by their number
    return { key: String(i), name: shorten(name, MAX_LETTERS), value: final[i], initial: initial[i] };
  });
  const height = options.height ?? rows.length * BAR + 56;
  const names = largestOf(
    rows.map(({ name }) => textWidth(name)),
    30,
  );
  return draw({
    title: options.title ?? "Weights of the relations",
    description: options.description ?? describe(data),
    width,
    legend: [
      { label: "after training", color: categoryColor(0), mark: "square" },
      { label: "at the start", color: "currentColor", mark: "tick" },
    ],
    panels: [
      {
        width,
        height,
        options: (plot) => ({
          marginLeft: names + 12,
          marginRight: 52,
          marginBottom: 44,
          marginTop: 6,
          x: { label: xLabel, labelAnchor: "center", labelArrow: "none", grid: true, nice: true, ticks: 5 },
          y: {
            label: null,
            padding: 0.25,
            domain: rows.map(({ key }) => key),
            tickFormat: (_, i) => rows[i].name,
            tickSize: 0,
          },
          marks: [
            plot.barX(rows, { x: "value", y: "key", fill: categoryColor(0), title: titleOf(relations) }),
            plot.tickX(rows, { x: "initial", y: "key", stroke: "currentColor", strokeWidth: 2 }),
            plot.text(rows, {
              y: "key",
              text: ({ value }: (typeof rows)[number]) => value.toFixed(3),
              frameAnchor: "right",
              textAnchor: "end",
              dx: 48,
            }),
            plot.ruleX([0]),
          ],
        }),
      },
    ],
  });
}

function titleOf(relations: readonly string[]) {
  return ({ key, value, initial }: { key: string; value: number; initial: number }) =>
    `${shorten(relations[Number(key)], 80)}: ${initial.toFixed(4)} → ${value.toFixed(4)}`;
}

function describe({ relations, initial, final }: RelationWeightsData): string {
  return `${relations.map((name, i) => `${name}: ${initial[i].toFixed(3)} to ${final[i].toFixed(3)}`).join("; ")}.`;
}
