/**
 * Colours of the charts, as CSS variables so that one picture suits light and dark pages.
 *
 * Categories: the palette of Okabe and Ito (2008, "Color universal design"), told apart by people with any common colour
 * blindness; its yellow and black are replaced where they would vanish into the background, and the last is a grey, for
 * what has no category. Amounts: nine steps of one blue whose lightness alone carries the order, turned round on dark pages.
 */

interface Theme {
  readonly text: string;
  readonly categories: readonly string[];
  readonly steps: readonly string[];
}

const LIGHT: Theme = {
  text: "#1f2328",
  categories: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b8a600", "#5c6670"],
  steps: ["#f3f8fd", "#e0ecf8", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#0c5399", "#08306b"],
};

const DARK: Theme = {
  text: "#e6e8eb",
  categories: ["#4aa8e8", "#f07f33", "#1fc795", "#e299c3", "#f0b840", "#8fd0f5", "#f0e442", "#a5afba"],
  steps: ["#18202b", "#1b2a3d", "#1f3a58", "#254f7a", "#31699f", "#4686c0", "#69a5d8", "#98c5ea", "#d0e6f8"],
};

export const NUM_CATEGORIES = LIGHT.categories.length;
export const NUM_STEPS = LIGHT.steps.length;

/** The class of every chart; the style sheet below belongs to it. */
export const CHART_CLASS = "hmge-chart";

/** Colour of category `index`; beyond eight they repeat. */
export function categoryColor(index: number): string {
  return `var(--hmge-c${index % NUM_CATEGORIES})`;
}

/** Colour of an amount between 0 and 1; `from` leaves out the first steps, which hardly stand out as single dots. */
export function stepColor(share: number, from = 0): string {
  const steps = NUM_STEPS - from;
  const step = from + Math.min(steps - 1, Math.max(0, Math.floor(share * steps)));
  return `var(--hmge-q${step})`;
}

/** Colour of text upon the colour of an amount. */
export function textOnStep(share: number): string {
  return share * NUM_STEPS < 5 ? "currentColor" : "var(--hmge-on-high)";
}

/** The style sheet of a chart. */
export function chartStyle(): string {
  const variables = ({ text, categories, steps }: Theme, onHigh: string) =>
    `.${CHART_CLASS}{color:${text};--hmge-on-high:${onHigh};` +
    `${categories.map((color, i) => `--hmge-c${i}:${color}`).join(";")};` +
    `${steps.map((color, i) => `--hmge-q${i}:${color}`).join(";")}}`;
  const light = variables(LIGHT, "#fff");
  return `${light}@media screen and (prefers-color-scheme:dark){${variables(DARK, "#0b0e13")}}.${CHART_CLASS} text{white-space:pre}`;
}
