/** The legend of a saved picture, line by line: the colours of the nodes, and the relations whose edges are drawn. */

import type { LegendLine } from "../map/picture-legend.js";
import { legendOf, NO_VALUE } from "../questions/color-scale.js";
import { countText, numberText, shownText } from "../questions/node-facts.js";
import { OTHER_COLOR, relationColor, type Theme } from "../questions/palette.js";
import type { Attribute } from "../scene/scene.js";
import type { State } from "./state/state.js";

/** Relations that are named: there are as many colours. */
const MAX_RELATIONS = 20;

export interface LegendLinesOptions {
  /** The attribute that colours the nodes; undefined: one colour. */
  readonly attribute: Attribute | undefined;
  readonly hidden: State["hidden"];
  /** Relations whose edges are drawn, by index and name. */
  readonly relations: readonly { readonly relation: number; readonly name: string }[];
  readonly theme: Theme;
}

export function legendLines({ attribute, hidden, relations, theme }: LegendLinesOptions): LegendLine[] {
  const lines = attribute === undefined ? [] : colorLines(attribute, hidden, theme);
  if (relations.length === 0) return lines;
  lines.push({ kind: "heading", text: "Relations" });
  for (const { relation, name } of relations.slice(0, MAX_RELATIONS))
    lines.push({ kind: "line", text: shownText(name), color: relationColor(relation, theme) });
  const left = relations.length - MAX_RELATIONS;
  if (left > 0) lines.push({ kind: "line", text: countText(left, "other relation"), color: OTHER_COLOR[theme] });
  return lines;
}

/** Without the categories that are hidden on the map. */
function colorLines(attribute: Attribute, hidden: State["hidden"], theme: Theme): LegendLine[] {
  const legend = legendOf(attribute, theme);
  const lines: LegendLine[] = [{ kind: "heading", text: shownText(attribute.name) }];
  if (legend.kind === "number") {
    const { scale, stops, numWith } = legend;
    const min = `${scale.hasBelow ? "≤ " : ""}${numberText(scale.min)}`;
    const max = `${scale.hasAbove ? "≥ " : ""}${numberText(scale.max)}`;
    if (numWith > 0) lines.push({ kind: "ramp", stops, min, max });
  } else {
    const isShown = ({ category }: { readonly category: string }) => !hidden.includes(category);
    for (const { category, color } of legend.entries.slice(0, legend.numColored).filter(isShown))
      lines.push({ kind: "dot", text: category === "" ? "(empty text)" : shownText(category), color });
    const others = legend.entries.slice(legend.numColored).filter(isShown).length;
    if (others > 0) lines.push({ kind: "dot", text: `${others} other categories`, color: OTHER_COLOR[theme] });
  }
  if (legend.numWithout > 0 && !hidden.includes(NO_VALUE))
    lines.push({ kind: "dot", text: "no value", color: OTHER_COLOR[theme] });
  return lines;
}
