/** The overlap of every pair of relations as a table whose cells are shaded. */

import { element } from "../dom.js";
import { countText, percentText, shownText } from "../questions/node-facts.js";
import type { RelationOverlap } from "../questions/relation-overlap.js";
import type { RelationRows } from "../questions/relation-rows.js";
import { dataText } from "./marks.js";

/** Up to this many relations the cells have room for numbers. */
const MAX_WITH_NUMBERS = 4;

/** The table; `overlaps` are of pairs of these relations. */
export function overlapGrid(relations: readonly RelationRows[], overlaps: readonly RelationOverlap[]): HTMLElement {
  const between = new Map(overlaps.map((overlap) => [`${overlap.a} ${overlap.b}`, overlap]));
  const withNumbers = relations.length <= MAX_WITH_NUMBERS;
  const head = element("tr", {}, element("td"));
  relations.forEach(({ name }, i) => {
    const number = element("span", { "aria-hidden": "true", title: shownText(name) }, String(i + 1));
    head.append(
      element("th", { scope: "col" }, number, element("span", { class: "visually-hidden" }, shownText(name))),
    );
  });
  const rows = relations.map((relation, i) => {
    const row = element("tr", {}, element("th", { scope: "row" }, `${i + 1} `, dataText(relation.name)));
    relations.forEach((other, j) => {
      const overlap = between.get(`${Math.min(i, j)} ${Math.max(i, j)}`);
      row.append(
        overlap === undefined
          ? element("td", { class: "overlap-grid-self" })
          : cell(relation, other, overlap, withNumbers),
      );
    });
    return row;
  });
  const caption = element(
    "caption",
    { class: "visually-hidden" },
    "Edges that both relations have, as a share of the edges of the smaller one",
  );
  return element(
    "table",
    { class: "overlap-grid" },
    caption,
    element("thead", {}, head),
    element("tbody", {}, ...rows),
  );
}

function cell(
  a: RelationRows,
  b: RelationRows,
  { share, compared, sampled }: RelationOverlap,
  withNumber: boolean,
): HTMLElement {
  const [small, large] = a.adjacency.columns.length <= b.adjacency.columns.length ? [a, b] : [b, a];
  const text = percentText(share);
  const edges = `${sampled ? "a sample of " : "the "}${countText(compared, "edge")} of ${shownText(small.name)}`;
  const title = Number.isNaN(share)
    ? `${shownText(small.name)} has no edges.`
    : `${text} of ${edges} are in ${shownText(large.name)} too.`;
  const made = element(
    "td",
    { title },
    element("span", { class: withNumber ? "overlap-grid-number" : "visually-hidden" }, text),
  );
  if (!Number.isNaN(share)) made.style.setProperty("--share", share.toFixed(3));
  return made;
}
