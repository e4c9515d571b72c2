/** How much each facet of the vectors adds to a cosine, as a stacked bar with its text. */

import { element } from "../dom.js";
import { shownText } from "../questions/node-facts.js";
import { cssColor, facetColor, type Theme } from "../questions/palette.js";
import type { Facet } from "../scene/scene.js";
import { swatch } from "./marks.js";

export interface FacetPart {
  readonly name: string;
  readonly part: number;
}

/** Smallest part of a cosine that the bar's text names. */
const LEAST_NAMED = 0.005;

/** The bar. Its full width is a cosine of 1; parts that reduce the cosine are striped, left of the zero line. */
export function facetBar(parts: readonly FacetPart[], theme: Theme): HTMLElement {
  const text = partsText(parts);
  const bar = element("div", {
    class: "facet-bar",
    role: "img",
    "aria-label": `Parts of the cosine: ${text}`,
    title: text,
  });
  const segments = parts.map(({ part }, place) => {
    const segment = element("span", { class: part < 0 ? "facet-bar-negative" : "facet-bar-positive" });
    segment.style.setProperty("--part", `${(100 * Math.abs(part)).toFixed(2)}%`);
    segment.style.setProperty("--color", cssColor(facetColor(place, theme)));
    return { part, segment };
  });
  const negative = segments.filter(({ part }) => part < 0);
  bar.append(
    ...negative.map(({ segment }) => segment),
    negative.length > 0 ? element("span", { class: "facet-bar-zero" }) : "",
    ...segments.filter(({ part }) => part > 0).map(({ segment }) => segment),
  );
  return bar;
}

/** "spectral 0.41, edges 0.20, degrees −0.03": largest first, parts near zero left out. */
export function partsText(parts: readonly FacetPart[]): string {
  const named = parts
    .filter(({ part }) => Math.abs(part) >= LEAST_NAMED)
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  if (named.length === 0) return "none above 0.005";
  return named.map(({ name, part }) => `${shownText(name)} ${part.toFixed(2).replace("-", "−")}`).join(", ");
}

/** Which colour is which facet, and what each facet holds. */
export function facetLegend(facets: readonly Pick<Facet, "name" | "doc">[], theme: Theme): HTMLElement {
  const items = facets.map(({ name, doc }, place) =>
    element("li", { title: doc }, swatch(facetColor(place, theme)), shownText(name)),
  );
  const explained = facets.flatMap(({ name, doc }) =>
    doc === undefined ? [] : [element("dt", {}, shownText(name)), element("dd", {}, shownText(doc))],
  );
  return element(
    "div",
    {},
    element("ul", { class: "facet-legend", "aria-label": "Facets of the vectors" }, ...items),
    explained.length === 0
      ? undefined
      : element(
          "details",
          { class: "facet-help" },
          element("summary", {}, "What the facets hold"),
          element("p", {}, "A bar shows how much each facet, a group of columns of the vectors, adds to the cosine."),
          element("dl", {}, ...explained),
        ),
  );
}
