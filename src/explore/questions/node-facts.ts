/** What is known of one node, as text. */

import type { Attribute, Scene } from "../scene/scene.js";

/** Name of the attribute that holds the label of the nodes. */
const LABEL = /^labels?$/i;

/** The label of a node; undefined if the scene has no labels or the node has none. */
export function labelOf(scene: Scene, node: number): string | undefined {
  const labels = scene.attributes.find(({ name, kind }) => kind === "category" && LABEL.test(name));
  return labels === undefined ? undefined : valueText(labels, node);
}

/** The value of an attribute at a node; undefined if the node has none. */
export function valueText(attribute: Attribute, node: number): string | undefined {
  if (attribute.kind === "category") {
    const code = attribute.codes[node];
    return code >= 0 ? attribute.categories[code] : undefined;
  }
  const value = attribute.values[node];
  return Number.isNaN(value) ? undefined : numberText(value);
}

/** Characters of an id, label or name that the page shows; ids may be as long as a file. */
const MAX_SHOWN = 120;

/** Characters that are not seen but change the text around them: control characters, and marks that turn the direction. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text of the data as the page shows it: cut if it is long, with � for characters that would not be seen. */
export function shownText(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return cut.replaceAll(UNSEEN, "\ufffd");
}

/** A number with at most four significant digits; whole numbers below 10⁹ in full. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString("en");
  const text = Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3 ? value.toExponential(2) : value.toPrecision(4);
  return /\.[^e]*$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

/** A share as per cent: whole numbers, one digit below 10. */
export function percentText(share: number): string {
  if (Number.isNaN(share)) return "–";
  const percent = 100 * share;
  const text = percent > 0 && percent < 9.95 ? percent.toFixed(1).replace(/\.0$/, "") : percent.toFixed(0);
  return percent > 0 && text === "0" ? "< 0.1 %" : `${text} %`;
}

/** A share as a number out of 100, with two significant digits. */
export function perHundredText(share: number): string {
  return numberText(Number((100 * share).toPrecision(2)));
}

/** "1 node", "2 nodes", "1,000 nodes". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
