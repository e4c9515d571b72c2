/**
 * Colours of the charts, as CSS variables, so that one picture works on light and dark pages.
 *
 * Categories: 20 colours. The first six (dark pages: seven) follow the palette of Okabe and Ito (2008, "Color universal
 * design"). The others were searched so that the smallest OKLab distance of any two, greys included, is as large as
 * possible, for normal vision and for protanopia, deuteranopia and tritanopia as simulated by Machado et al. (2009). Colours
 * far down the list are harder to distinguish; palette.test.ts checks the distances. Two greys mark labels after the first 20
 * and points without a label. Amounts: nine steps of one blue, ordered by lightness and reversed on dark pages.
 */

import { InternalError } from "../../core/errors.js";

interface Theme {
  readonly text: string;
  readonly categories: readonly string[];
  /** Colour of all labels after the first 20. */
  readonly other: string;
  /** Colour of points without a label. */
  readonly none: string;
  readonly steps: readonly string[];
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
  steps: ["#f3f8fd", "#e0ecf8", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#0c5399", "#08306b"],
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
  steps: ["#18202b", "#1b2a3d", "#1f3a58", "#254f7a", "#31699f", "#4686c0", "#69a5d8", "#98c5ea", "#d0e6f8"],
};

export const NUM_CATEGORIES = LIGHT.categories.length;
export const NUM_STEPS = LIGHT.steps.length;

/** CSS class of every chart. */
export const CHART_CLASS = "hmge-chart";

/** Colours of labels after the first 20, and of points without a label. */
export const OTHER_COLOR = "var(--hmge-other)";
export const NO_LABEL_COLOR = "var(--hmge-none)";

/** Colour of category `index`; after 20 they repeat. */
export function categoryColor(index: number): string {
  return `var(--hmge-c${index % NUM_CATEGORIES})`;
}

/** Colour of an amount between 0 and 1; `from` skips the first steps, which are too pale for single dots. */
export function stepColor(share: number, from = 0): string {
  const steps = NUM_STEPS - from;
  const step = from + Math.min(steps - 1, Math.max(0, Math.floor(share * steps)));
  return `var(--hmge-q${step})`;
}

/** Colour of text on the colour of an amount. */
export function textOnStep(share: number): string {
  return share * NUM_STEPS < 5 ? "currentColor" : "var(--hmge-on-high)";
}

/** The colour on light pages, for images without style sheets. */
export function lightColor(color: string): string {
  const name = /^var\(--hmge-(\w+)\)$/.exec(color)?.[1] ?? "";
  if (name === "other" || name === "none") return LIGHT[name];
  const found =
    name === "text" ? LIGHT.text : (name.startsWith("c") ? LIGHT.categories : LIGHT.steps)[Number(name.slice(1))];
  if (found === undefined) throw new InternalError(`no colour is called ${color}`);
  return found;
}

/** The style sheet of a chart. */
export function chartStyle(): string {
  const variables = ({ text, categories, other, none, steps }: Theme, onHigh: string) =>
    `.${CHART_CLASS}{color:${text};--hmge-on-high:${onHigh};--hmge-other:${other};--hmge-none:${none};` +
    `${categories.map((color, i) => `--hmge-c${i}:${color}`).join(";")};` +
    `${steps.map((color, i) => `--hmge-q${i}:${color}`).join(";")}}`;
  const light = variables(LIGHT, "#fff");
  return `${light}@media screen and (prefers-color-scheme:dark){${variables(DARK, "#0b0e13")}}.${CHART_CLASS} text{white-space:pre}`;
}
