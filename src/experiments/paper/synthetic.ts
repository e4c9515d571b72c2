/**
 * Accuracy on the synthetic graphs by number of relations (the paper's figure), with two bounds: the true communities, and
 * one spectral vector per relation. The second eigenvector of each relation recovers its communities exactly, so the test
 * measures how much of the relations survives their aggregation. The label is a majority over all relations, so the accuracy
 * of a probe also depends on its number of labels.
 */

import { largestOf } from "../../numeric/extremes.js";
import { accuracyCurve, type LineSeries } from "../../report/charts/index.js";
import { plural } from "../../report/format.js";
import type { Measure, TableCell } from "../../report/table.js";
import { type MeanDeviation, meanDeviation } from "../../tasks/metrics/mean-deviation.js";
import { type ProbeProtocol, type ProbeScores, probeModel, probeRow, probeVectors } from "../cells/probe-cell.js";
import { sbmCase } from "../graphs/graph-case.js";
import { relationSpectral, trueCommunities } from "../graphs/untrained-vectors.js";
import { percent } from "../tables/percent.js";
import type { Experiment, ExperimentContext } from "./experiment.js";
import { inPercent, pointsApart } from "./experiment.js";
import { MAIN_SHARE } from "./graph-runs.js";
import { PUBLISHED_SYNTHETIC } from "./published.js";
import { sbmOptions } from "./scale.js";

/** HMGE as its published code computes it. */
const PUBLISHED_CODE = "hmge:reference";

const BOUNDS = [
  { name: "true communities", vectors: trueCommunities },
  {
    name: "spectral, one vector per relation",
    vectors: (data: Parameters<typeof trueCommunities>[0]) => relationSpectral(data, { squash: false }),
  },
  {
    name: "the same, squashed by tanh",
    vectors: (data: Parameters<typeof trueCommunities>[0]) => relationSpectral(data, { squash: true }),
  },
];

/** Scores of one method, by number of relations; one score per graph. */
interface Curve {
  readonly name: string;
  readonly bound: boolean;
  readonly cells: Map<number, ProbeScores[]>;
  /** Effective rank of the vectors, for models. */
  readonly ranks: Map<number, number[]>;
}

export const synthetic: Experiment = {
  name: "synthetic",
  title: "Synthetic graphs: accuracy by number of relations",
  doc: "accuracy by number of relations, with two bounds",
  async run(context) {
    const { scale } = context;
    const curves = await measure(context);
    const at = (curve: Curve, relations: number, share: number, raw = false): MeanDeviation =>
      meanDeviation(
        (curve.cells.get(relations) ?? []).map((cell) => probeRow(cell, share, raw ? "raw" : "standardised").accuracy),
      );
    const { relations, shares } = scale;
    const names = scale.curves;
    const fewer =
      names.length > 1 && scale.otherGraphs < scale.seeds.length
        ? `; all models except ${names[0]} on the first ${scale.otherGraphs === 1 ? "" : `${scale.otherGraphs} `}of them only`
        : "";
    const [main] = curves;
    const reference = curves.find(({ name }) => name === PUBLISHED_CODE);
    const cells = (curve: Curve, share: number, raw = false): TableCell[] =>
      relations.map((count) => percent(at(curve, count, share, raw)));
    const published = relations.map((count) =>
      count === PUBLISHED_SYNTHETIC.relations ? percent({ mean: PUBLISHED_SYNTHETIC.accuracy, deviation: null }) : null,
    );
    const header = (first: string) => [first, ...relations.map(String)];
    const ranks = (curve: Curve) => relations.map((count): Measure => ({ ...rank(curve, count), digits: 1 }));
    const mainRows: TableCell[][] = [
      [main.name, ...cells(main, MAIN_SHARE)],
      ["HMGE paper, share of labels not stated", ...published],
      ...names.flatMap((name, m): TableCell[][] => [
        ...(m === 0
          ? []
          : [[name === PUBLISHED_CODE ? `${name}, the published code` : name, ...cells(curves[m], MAIN_SHARE)]]),
        [`${name}, raw vectors`, ...cells(curves[m], MAIN_SHARE, true)],
        [`${name}, effective rank`, ...ranks(curves[m])],
      ]),
      ...curves.filter(({ bound }) => bound).map((curve) => [`bound: ${curve.name}`, ...cells(curve, MAIN_SHARE)]),
    ];
    const shareRows = shares.flatMap((share) =>
      curves
        .filter(({ name }) => name !== "spectral, one vector per relation")
        .map((curve): TableCell[] => [
          `${inWhole(share)} % of the labels, ${curve.bound ? "bound: " : ""}${curve.name}`,
          ...cells(curve, share),
        ]),
    );
    const last = relations[relations.length - 1];
    const headline = (value: number, name: string) => ({ value: `${inPercent(value)} %`, name });
    return {
      headline: [
        headline(at(main, last, MAIN_SHARE).mean, `accuracy of ${main.name} at ${last} relations`),
        headline(PUBLISHED_SYNTHETIC.accuracy, `HMGE paper at ${PUBLISHED_SYNTHETIC.relations} relations`),
        headline(at(curves[names.length], last, MAIN_SHARE).mean, `bound at ${last} relations`),
      ],
      method: [
        `Every relation is a stochastic block model with two communities, drawn independently for each relation (${scale.nodes} nodes, p_in ${scale.pIn}, p_out ${scale.pOut}); the label of a node is the majority of its community bits. Models see only the edges. Then a logistic regression (C = 1) on standardised vectors learns from ${shares.map(inWhole).join(", ")} % of the labels; mean of ${scale.repeats} random splits. Mean ± standard deviation over ${plural(scale.seeds.length, "graph")}, each with a separate training${fewer}.`,
        "Bounds: the same probe on the true community bits, which are all the information there is (on few nodes the error of the probe may place vectors above this bound), and on the second eigenvector of each relation's normalised adjacency, which needs no training; unchanged, and squashed by tanh(2.5·√n·v).",
      ],
      tables: [
        {
          caption: `Accuracy in %, ${inWhole(MAIN_SHARE)} % of the labels`,
          table: { header: header("relations"), rows: mainRows, quoted: [1] },
        },
        { caption: "Accuracy in % by share of the labels", table: { header: header("relations"), rows: shareRows } },
      ],
      figure: {
        svg: await draw(context, curves, (curve, count) => at(curve, count, MAIN_SHARE)),
        caption: `Accuracy with ${inWhole(MAIN_SHARE)} % of the labels. Bands: one standard deviation over the graphs.`,
      },
      differences: explain(
        context,
        main.name,
        relations.map((count) => ({
          relations: count,
          main: at(main, count, MAIN_SHARE).mean,
          raw: at(main, count, MAIN_SHARE, true).mean,
          rank: rank(main, count).value,
          reference: reference && {
            accuracy: at(reference, count, MAIN_SHARE).mean,
            rank: rank(reference, count).value,
          },
        })),
      ),
      numbers: {
        published: PUBLISHED_SYNTHETIC,
        curves: curves.map((curve) => ({
          name: curve.name,
          bound: curve.bound,
          points: relations.map((count) => ({
            relations: count,
            effectiveRank: curve.ranks.get(count) ?? null,
            shares: shares.map((share) => ({
              share,
              standardised: at(curve, count, share),
              raw: at(curve, count, share, true),
            })),
          })),
        })),
      },
    };
  },
};

async function measure({ runner, scale, variant }: ExperimentContext): Promise<Curve[]> {
  const protocol: ProbeProtocol = { shares: scale.shares, repeats: scale.repeats };
  const make = (name: string, bound: boolean): Curve => ({ name, bound, cells: new Map(), ranks: new Map() });
  const models = scale.curves.map((name, m) => ({
    ...make(name, false),
    graphs: m === 0 ? Infinity : scale.otherGraphs,
  }));
  const bounds = BOUNDS.map(({ name }) => make(name, true));
  const trainings = models.reduce((sum, { graphs }) => sum + Math.min(graphs, scale.seeds.length), 0);
  runner.announce(scale.relations.length * (trainings + scale.seeds.length * BOUNDS.length));
  for (const relations of scale.relations) {
    for (const [place, seed] of scale.seeds.entries()) {
      const graphCase = sbmCase(sbmOptions(scale, relations, seed));
      for (const curve of models.filter(({ graphs }) => place < graphs)) {
        const cell = await probeModel(runner, graphCase, variant(curve.name), seed, protocol);
        add(curve.cells, relations, cell);
        add(curve.ranks, relations, cell.training.effectiveRank);
      }
      for (const [i, { name, vectors }] of BOUNDS.entries()) {
        add(bounds[i].cells, relations, await probeVectors(runner, graphCase, name, protocol, vectors));
      }
    }
  }
  return [...models, ...bounds];
}

function add<T>(map: Map<number, T[]>, key: number, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function rank(curve: Curve, relations: number): { value: number; deviation?: number } {
  const { mean, deviation } = meanDeviation(curve.ranks.get(relations) ?? []);
  return deviation === null ? { value: mean } : { value: mean, deviation };
}

function draw(
  { scale }: ExperimentContext,
  curves: readonly Curve[],
  at: (curve: Curve, relations: number) => MeanDeviation,
): Promise<string> {
  const series = (curve: Curve): LineSeries => ({
    name: curve.bound ? `bound: ${curve.name}` : curve.name,
    points: scale.relations.map((x) => {
      const { mean, deviation } = at(curve, x);
      return { x, y: mean, ...(deviation === null ? {} : { deviation }) };
    }),
  });
  const paper = scale.relations.includes(PUBLISHED_SYNTHETIC.relations)
    ? [{ name: "HMGE paper", points: [{ x: PUBLISHED_SYNTHETIC.relations, y: PUBLISHED_SYNTHETIC.accuracy }] }]
    : [];
  return accuracyCurve([...curves.filter(({ bound }) => !bound).map(series), ...paper], {
    title: "Accuracy by number of relations",
    bounds: curves.filter(({ bound }) => bound).map(series),
    yDomain: [0.45, 1],
  });
}

interface Point {
  readonly relations: number;
  readonly main: number;
  /** Accuracy without standardisation. */
  readonly raw: number;
  readonly rank: number;
  /** The published code, if it was trained. */
  readonly reference?: { readonly accuracy: number; readonly rank: number };
}

/** Sentences about these numbers. */
function explain({ scale }: ExperimentContext, name: string, points: readonly Point[]): string[] {
  const { relations, accuracy, others } = PUBLISHED_SYNTHETIC;
  const last = points[points.length - 1];
  const same = points.find((point) => point.relations === relations);
  const sentences = [
    same === undefined
      ? `The paper reports ${inPercent(accuracy)} % at ${relations} relations (${others} %). The scale ${scale.name} ends at ${last.relations} relations, so there is no number of ours to compare.`
      : `At ${relations} relations and ${inWhole(MAIN_SHARE)} % of the labels ${name} reaches ${inPercent(same.main)} %; the paper's figure has ${inPercent(accuracy)} % (${others} %): ours is ${pointsApart(same.main, accuracy)}. The paper does not state how many labels its probe learns from; the score depends on this number, as the second table shows.`,
  ];
  if (last.reference !== undefined && name !== PUBLISHED_CODE) {
    const code = `The preset reference, which computes what the published code computes, reaches ${inPercent(last.reference.accuracy)} % at ${last.relations} relations, ${name} ${inPercent(last.main)} %.`;
    sentences.push(
      last.reference.accuracy < last.main && last.reference.rank < last.rank
        ? `${code} A likely reason: the published code smooths once more than the default, which removes differences between the relations. The effective rank of its vectors is ${last.reference.rank.toFixed(1)}, that of the default ${last.rank.toFixed(1)}.`
        : code,
    );
  }
  const lower = points.filter(({ main, raw }) => raw < main).length;
  if (lower > 0) {
    const gap = largestOf(points.map(({ main, raw }) => main - raw));
    sentences.push(
      `Raw vectors score lower than standardised ones at ${lower} of ${points.length} numbers of relations, by up to ${(100 * gap).toFixed(1)} points. Infomax vectors lie close to a line, and a regularised probe ignores the small directions across it. The paper does not state whether it standardises.`,
    );
  }
  return sentences;
}

function inWhole(share: number): string {
  return String(Math.round(100 * share));
}
