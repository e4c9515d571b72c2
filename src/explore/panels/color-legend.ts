/** Chooses the attribute that colours the nodes, and shows a legend that filters them. */

import { button, type Component, element, fill } from "../dom.js";
import { type HiddenCategory, type Legend, legendOf, NO_VALUE } from "../questions/color-scale.js";
import { countText, numberText, shownText } from "../questions/node-facts.js";
import { cssColor, OTHER_COLOR, type Rgb, type Theme } from "../questions/palette.js";
import type { Attribute } from "../scene/scene.js";
import { dataText, missingLine, swatch, uniqueId } from "./marks.js";

export interface ColorLegendState {
  readonly attributes: readonly Attribute[];
  /** Name of the colouring attribute; undefined: one colour. */
  readonly color?: string;
  /** Hidden categories of that attribute; `NO_VALUE` hides nodes without a value. */
  readonly hidden: readonly HiddenCategory[];
  readonly theme: Theme;
}

export interface ColorLegendOptions extends ColorLegendState {
  readonly onColor: (name: string | undefined) => void;
  readonly onHidden: (hidden: HiddenCategory[]) => void;
}

export interface ColorLegend extends Component {
  update(changes: Partial<ColorLegendState>): void;
}

/** One line of the legend: categories that are shown and hidden together. */
interface Line {
  readonly text: string;
  readonly categories: readonly HiddenCategory[];
  readonly count: number;
  readonly color: Rgb;
}

export function createColorLegend(host: HTMLElement, options: ColorLegendOptions): ColorLegend {
  let state: ColorLegendState = options;
  const id = uniqueId("color-legend");
  const chooser = element("select", { id, class: "color-legend-chooser" });
  // values are places in the list: two attributes may have the same name
  chooser.addEventListener("change", () => {
    const place = Number(chooser.value);
    options.onColor(place < 0 ? undefined : state.attributes[place].name);
  });
  const legend = element("div", { class: "color-legend" });
  fill(host, element("label", { for: id, class: "color-legend-label" }, "Colour by "), chooser, legend);

  const show = () => {
    const chosen = state.attributes.findIndex(({ name }) => name === state.color);
    const choices = state.attributes.map(({ name, doc }, place) =>
      element("option", { value: place, title: doc }, shownText(name)),
    );
    fill(chooser, element("option", { value: -1 }, "one colour"), ...choices);
    chooser.value = String(chosen);
    if (state.attributes.length === 0) {
      fill(
        legend,
        missingLine("The nodes have no labels or other attributes. Drop a CSV file with a column of ids to add some."),
      );
    } else if (chosen < 0) fill(legend);
    else {
      const { doc } = state.attributes[chosen];
      showLegend(legend, legendOf(state.attributes[chosen], state.theme), state, options.onHidden);
      if (doc !== undefined) legend.prepend(element("p", { class: "muted" }, shownText(doc)));
    }
  };
  show();

  return {
    update(changes) {
      state = { ...state, ...changes };
      keepFocus(host, show);
    },
    dispose: () => fill(host),
  };
}

function showLegend(
  host: HTMLElement,
  legend: Legend,
  { hidden, theme }: ColorLegendState,
  onHidden: (hidden: HiddenCategory[]) => void,
): void {
  const lines: Line[] = [];
  if (legend.kind === "category") {
    const colored = legend.entries.slice(0, legend.numColored);
    const others = legend.entries.slice(legend.numColored);
    lines.push(
      ...colored.map(({ category, count, color }) => ({
        text: category === "" ? "(empty text)" : category,
        categories: [category],
        count,
        color,
      })),
    );
    if (others.length > 0) {
      const count = others.reduce((sum, entry) => sum + entry.count, 0);
      const categories = others.map(({ category }) => category);
      lines.push({ text: `${others.length} other categories`, categories, count, color: OTHER_COLOR[theme] });
    }
  }
  if (legend.numWithout > 0) {
    lines.push({ text: "no value", categories: [NO_VALUE], count: legend.numWithout, color: OTHER_COLOR[theme] });
  }
  const all = lines.flatMap(({ categories }) => categories);
  const rows = lines.map((line) => legendLine(line, all, new Set(hidden), onHidden));
  const showAll = button("Show all", () => onHidden([]), { class: "color-legend-all" });
  showAll.disabled = hidden.length === 0;
  fill(
    host,
    legend.kind === "number" ? gradient(legend) : undefined,
    rows.length === 0 ? undefined : element("ul", { class: "color-legend-list", "aria-label": "Legend" }, ...rows),
    rows.length > 1 || hidden.length > 0 ? showAll : undefined,
  );
}

function legendLine(
  { text, categories, count, color }: Line,
  all: readonly HiddenCategory[],
  hidden: ReadonlySet<HiddenCategory>,
  onHidden: (hidden: HiddenCategory[]) => void,
): HTMLElement {
  const isShown = !categories.every((category) => hidden.has(category));
  const toggle = button(
    "",
    () => {
      const others = [...hidden].filter((category) => !categories.includes(category));
      onHidden(isShown ? [...others, ...categories] : others);
    },
    {
      class: "color-legend-toggle",
      "aria-pressed": String(isShown),
      title: isShown ? "Hide these nodes" : "Show these nodes",
    },
  );
  toggle.append(
    swatch(color),
    element("span", { class: "color-legend-name", title: shownText(text) }, dataText(text)),
    element("span", { class: "muted" }, count.toLocaleString("en")),
  );
  const only = button("only", () => onHidden(all.filter((category) => !categories.includes(category))), {
    class: "color-legend-only",
    "aria-label": `Show only ${shownText(text)}`,
  });
  return element("li", {}, toggle, all.length > 1 ? only : undefined);
}

function gradient({ scale, stops, numWith }: Extract<Legend, { kind: "number" }>): HTMLElement {
  if (numWith === 0) return missingLine("No node has a value of this attribute.");
  const bar = element("div", { class: "color-legend-gradient", "aria-hidden": "true" });
  for (const stop of stops) {
    const step = element("span");
    step.style.backgroundColor = cssColor(stop);
    bar.append(step);
  }
  const ends = element(
    "div",
    { class: "color-legend-ends" },
    element("span", {}, `${scale.hasBelow ? "≤ " : ""}${numberText(scale.min)}`),
    element("span", { class: "muted" }, scale.log ? "logarithmic" : ""),
    element("span", {}, `${scale.hasAbove ? "≥ " : ""}${numberText(scale.max)}`),
  );
  const cut = scale.hasBelow || scale.hasAbove ? "; the ends are the 2nd and the 98th percentile" : "";
  const count = element("p", { class: "muted" }, `${countText(numWith, "node")} with a value${cut}`);
  return element("div", {}, bar, ends, count);
}

/** Redraws and gives the keyboard focus back to the button at the same place. */
function keepFocus(host: HTMLElement, redraw: () => void): void {
  const controls = () => [...host.querySelectorAll<HTMLElement>("button, select")];
  const place = controls().indexOf(document.activeElement as HTMLElement);
  redraw();
  if (place >= 0) controls()[place]?.focus();
}
