/** Small marks that several panels use: swatches, names of nodes, lines that say what is missing. */

import { button, element, fill } from "../dom.js";
import { shownText } from "../questions/node-facts.js";
import { nodeName } from "../questions/node-names.js";
import { cssColor, type Rgb } from "../questions/palette.js";
import type { Scene } from "../scene/scene.js";

/** A small square of a colour; the text next to it says what it stands for. */
export function swatch(color: Rgb): HTMLElement {
  const mark = element("span", { class: "panel-swatch", "aria-hidden": "true" });
  mark.style.backgroundColor = cssColor(color);
  return mark;
}

/** A text of the data. It is set apart, so that right-to-left marks in it cannot turn the text around it. */
export function dataText(text: string): HTMLElement {
  return element("bdi", { class: "panel-data" }, shownText(text));
}

/** The id of a node as a button that leads to it. */
export function idButton(
  { ids }: Pick<Scene, "ids">,
  node: number,
  onFocus: (node: number) => void,
): HTMLButtonElement {
  const made = button("", () => onFocus(node), { class: "panel-node", title: shownText(ids[node]) });
  made.append(dataText(ids[node]));
  return made;
}

/** The name of a node as a button that leads to it, with its id if that is another text. */
export function nodeButton(scene: Scene, node: number, onFocus: (node: number) => void): HTMLButtonElement {
  const made = idButton(scene, node, onFocus);
  const name = nodeName(scene, node);
  if (name === scene.ids[node]) return made;
  fill(made, dataText(name), element("small", { class: "muted" }, " ", dataText(scene.ids[node])));
  return made;
}

/** A line that says what is missing. */
export function missingLine(text: string): HTMLElement {
  return element("p", { class: "panel-missing muted" }, text);
}

/** A line that says what went wrong. */
export function errorLine(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  return element("p", { class: "panel-error", role: "alert" }, message);
}

let numIds = 0;

/** An id that no other element of the page has. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${++numIds}`;
}

/** Whether two lists hold the same numbers in the same order. */
export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
}

/** Tells whether an answer that took a while is still wanted. */
export class Latest {
  #number = 0;

  /** Starts a new question; the returned function says whether it is still the newest. */
  begin(): () => boolean {
    const own = ++this.#number;
    return () => own === this.#number;
  }
}
