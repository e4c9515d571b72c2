/**
 * Colours of the charts, as CSS variables, so that one picture works on light and dark pages.
 *
 * Categories: 20 colours. The first six (dark pages: seven) follow the palette of Okabe and Ito (2008, "Color universal
 * design"). The others were found by a search that maximises the smallest OKLab distance between any two colours, greys
 * included, for normal vision and for protanopia, deuteranopia and tritanopia as simulated by Machado et al. (2009). Colours
 * late in the list are harder to distinguish; palette.test.ts checks the distances. One grey marks all labels after the first
 * 20, another one points without a label.
 *
 * Numbers: a scale of nine blues, from light to dark on light pages and from dark to light on dark pages.
 */

import { InternalError } from "../../core/errors.js";

interface Theme {
  readonly text: string;
  readonly categories: readonly string[];
  /** Colour of all labels after the first 20. */
  readonly other: string;
  /** Colour of points without a label. */
  readonly none: string;
  /** Colours of the scale for numbers, the smallest number first. */
  readonly scale: readonly string[];
}

const LIGHT: Theme = {
  text: "#1f2328",
  categories: [
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#444400",
    "#0000cc",
    "#662266",
    "#9966ff",
    "#55dd88",
    "#885500",
    "#5500ff",
    "#dd00cc",
    "#aa1188",
    "#990033",
    "#aaaa88",
    "#441199",
    "#cc2244",
    "#cccc22",
  ],
  other: "#70767d",
  none: "#c3c8ce",
  scale: ["#f3f8fd", "#e0ecf8", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#0c5399", "#08306b"],
};

const DARK: Theme = {
  text: "#e6e8eb",
  categories: [
    "#4aa8e8",
    "#f07f33",
    "#1fc795",
    "#e299c3",
    "#f0b840",
    "#8fd0f5",
    "#f0e442",
    "#773388",
    "#bb0000",
    "#9922ff",
    "#ffeeff",
    "#44ffaa",
    "#1177bb",
    "#8877ee",
    "#0044cc",
    "#dd1199",
    "#cc6677",
    "#ff0011",
    "#887744",
    "#884444",
  ],
  other: "#98a1ab",
  none: "#555e68",
  scale: ["#18202b", "#1b2a3d", "#1f3a58", "#254f7a", "#31699f", "#4686c0", "#69a5d8", "#98c5ea", "#d0e6f8"],
};

export const NUM_CATEGORIES = LIGHT.categories.length;
export const NUM_SCALE_COLORS = LIGHT.scale.length;

/** CSS class of every chart. */
export const CHART_CLASS = "hmge-chart";

/** Colour of all labels after the first 20. */
export const OTHER_COLOR = "var(--hmge-other)";
/** Colour of points without a label. */
export const NO_LABEL_COLOR = "var(--hmge-none)";

/** Colour of category `index`; the colours repeat after 20 categories. */
export function categoryColor(index: number): string {
  return `var(--hmge-c${index % NUM_CATEGORIES})`;
}

/** Colour of a number between 0 and 1. `first` is the first colour of the scale to use: the palest are hard to see as dots. */
export function scaleColor(value: number, first = 0): string {
  const numColors = NUM_SCALE_COLORS - first;
  const index = first + Math.min(numColors - 1, Math.max(0, Math.floor(value * numColors)));
  return `var(--hmge-q${index})`;
}

/** Colour of text on the background `scaleColor(value)`. */
export function scaleTextColor(value: number): string {
  return value * NUM_SCALE_COLORS < 5 ? "currentColor" : "var(--hmge-on-high)";
}

/** The hex value on light pages of a colour of this file, for images without style sheets. */
export function lightColor(color: string): string {
  const name = /^var\(--hmge-(\w+)\)$/.exec(color)?.[1] ?? "";
  if (name === "other" || name === "none") return LIGHT[name];
  const hex =
    name === "text" ? LIGHT.text : (name.startsWith("c") ? LIGHT.categories : LIGHT.scale)[Number(name.slice(1))];
  if (hex === undefined) throw new InternalError(`palette: unknown colour ${color}`);
  return hex;
}

/** The style sheet of a chart. */
export function chartStyle(): string {
  const variables = ({ text, categories, other, none, scale }: Theme, textOnHigh: string) =>
    `.${CHART_CLASS}{color:${text};--hmge-on-high:${textOnHigh};--hmge-other:${other};--hmge-none:${none};` +
    `${categories.map((color, i) => `--hmge-c${i}:${color}`).join(";")};` +
    `${scale.map((color, i) => `--hmge-q${i}:${color}`).join(";")}}`;
  const light = variables(LIGHT, "#fff");
  return `${light}@media screen and (prefers-color-scheme:dark){${variables(DARK, "#0b0e13")}}.${CHART_CLASS} text{white-space:pre}`;
}
