/** Colours of the nodes by an attribute, and the legend that explains them. */

import type { Attribute } from "../scene/scene.js";
import {
  CATEGORY_COLORS,
  categoryColor,
  OTHER_COLOR,
  PLAIN_COLOR,
  type Rgb,
  rampColor,
  type Theme,
} from "./palette.js";

type Categories = Extract<Attribute, { kind: "category" }>;
type Numbers = Extract<Attribute, { kind: "number" }>;

/** A category that the legend can hide; null: the nodes without a value, which are not the nodes whose text is empty. */
export type HiddenCategory = string | null;
export const NO_VALUE = null;

export interface LegendEntry {
  readonly category: string;
  readonly count: number;
  readonly color: Rgb;
}

export interface NumberScale {
  /** Values that have the first and the last colour: the 2nd and the 98th percentile. */
  readonly min: number;
  readonly max: number;
  /** Whether there are smaller and larger values, which have the colours of the ends. */
  readonly hasBelow: boolean;
  readonly hasAbove: boolean;
  /** Logarithmic: many small values and a few large ones, as degrees are. */
  readonly log: boolean;
}

export type Legend =
  | {
      readonly kind: "category";
      /** Most frequent first; categories beyond the palette are grey. */
      readonly entries: readonly LegendEntry[];
      /** How many of the entries have a colour of their own. */
      readonly numColored: number;
      readonly numWithout: number;
    }
  | {
      readonly kind: "number";
      readonly scale: NumberScale;
      /** Colours from the smallest to the largest value, evenly spaced on the scale. */
      readonly stops: readonly Rgb[];
      readonly numWith: number;
      readonly numWithout: number;
    };

/** Colours of a ramp; more steps are not distinguishable on a legend of 200 pixels. */
const STOPS = 16;
/** Colours computed for the nodes of a number attribute. */
const STEPS = 256;
/** Share of the values below and above the ends of the scale, so that a few outliers do not stretch it. Not tuned. */
const BEYOND = 0.02;
/** An upper end this many times the median makes the scale logarithmic: one outlier does not. Not tuned. */
const SKEWED = 10;

const scales = new WeakMap<Numbers, NumberScale>();

/** The legend of an attribute. */
export function legendOf(attribute: Attribute, theme: Theme): Legend {
  if (attribute.kind === "category") {
    const { order, counts, numWithout } = rankCategories(attribute);
    const entries = order.map((code, rank) => ({
      category: attribute.categories[code],
      count: counts[code],
      color: categoryColor(rank, theme),
    }));
    const numColored = Math.min(entries.length, CATEGORY_COLORS[theme].length);
    return { kind: "category", entries, numColored, numWithout };
  }
  const numWith = attribute.values.reduce((sum, value) => sum + (Number.isFinite(value) ? 1 : 0), 0);
  const stops = Array.from({ length: STOPS }, (_, i) => rampColor(i / (STOPS - 1), theme));
  const numWithout = attribute.values.length - numWith;
  return { kind: "number", scale: numberScale(attribute), stops, numWith, numWithout };
}

/** Red, green, blue and opacity of each node; nodes of hidden categories have opacity 0. */
export function nodeColors(attribute: Attribute, hidden: ReadonlySet<HiddenCategory>, theme: Theme): Uint8Array {
  return attribute.kind === "category"
    ? categoryColors(attribute, hidden, theme)
    : numberColors(attribute, hidden.has(NO_VALUE), theme);
}

/** One colour for all nodes. */
export function plainColors(numNodes: number, theme: Theme): Uint8Array {
  const colors = new Uint8Array(4 * numNodes);
  for (let i = 0; i < numNodes; i++) paint(colors, i, PLAIN_COLOR[theme], 255);
  return colors;
}

/** The place of a value on the scale, 0 to 1; values beyond the ends are at the ends. */
export function placeOnScale({ min, max, log }: NumberScale, value: number): number {
  const place = (x: number) => (log ? Math.log1p(x) : x);
  if (!(max > min)) return 0.5;
  return Math.min(1, Math.max(0, (place(value) - place(min)) / (place(max) - place(min))));
}

/** The scale of the finite values; its ends are NaN if there are none. */
export function numberScale(attribute: Numbers): NumberScale {
  const scale = scales.get(attribute) ?? measureScale(attribute);
  scales.set(attribute, scale);
  return scale;
}

function measureScale({ values }: Numbers): NumberScale {
  const known = values.filter((value) => Number.isFinite(value)).sort();
  if (known.length === 0) return { min: Number.NaN, max: Number.NaN, log: false, hasBelow: false, hasAbove: false };
  const [smallest, median, largest] = [known[0], known[known.length >> 1], known[known.length - 1]];
  const numBeyond = Math.floor(BEYOND * known.length);
  const ends = { min: known[numBeyond], max: known[known.length - 1 - numBeyond] };
  // if nearly all values are the same, the few others would have no colour of their own
  const { min, max } = ends.max > ends.min ? ends : { min: smallest, max: largest };
  const log = smallest >= 0 && max > SKEWED * Math.max(1, median);
  return { min, max, log, hasBelow: smallest < min, hasAbove: largest > max };
}

function categoryColors(attribute: Categories, hidden: ReadonlySet<HiddenCategory>, theme: Theme): Uint8Array {
  const { order } = rankCategories(attribute);
  const colors = new Uint8Array(4 * attribute.codes.length);
  const ofCode: Rgb[] = [];
  order.forEach((code, rank) => {
    ofCode[code] = categoryColor(rank, theme);
  });
  const opacities = attribute.categories.map((category) => (hidden.has(category) ? 0 : 255));
  const opacityWithout = hidden.has(NO_VALUE) ? 0 : 255;
  for (let i = 0; i < attribute.codes.length; i++) {
    const code = attribute.codes[i];
    if (code < 0) paint(colors, i, OTHER_COLOR[theme], opacityWithout);
    else paint(colors, i, ofCode[code], opacities[code]);
  }
  return colors;
}

function numberColors(attribute: Numbers, hideWithout: boolean, theme: Theme): Uint8Array {
  const { values } = attribute;
  const scale = numberScale(attribute);
  const steps = Array.from({ length: STEPS }, (_, i) => rampColor(i / (STEPS - 1), theme));
  const colors = new Uint8Array(4 * values.length);
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) paint(colors, i, OTHER_COLOR[theme], hideWithout ? 0 : 255);
    else paint(colors, i, steps[Math.round(placeOnScale(scale, values[i]) * (STEPS - 1))], 255);
  }
  return colors;
}

function paint(colors: Uint8Array, node: number, color: Rgb, opacity: number): void {
  colors[4 * node] = color[0];
  colors[4 * node + 1] = color[1];
  colors[4 * node + 2] = color[2];
  colors[4 * node + 3] = opacity;
}

/** Codes of the categories, most frequent first, equal counts in the order of the categories. */
function rankCategories({ categories, codes }: Categories) {
  const counts = new Uint32Array(categories.length);
  let numWithout = 0;
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] < 0) numWithout++;
    else counts[codes[i]]++;
  }
  const order = categories.map((_, code) => code).sort((a, b) => counts[b] - counts[a] || a - b);
  return { order, counts, numWithout };
}
