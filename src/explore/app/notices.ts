/** The lines below the map: what happened, notes, and facts of the runs. */

import { button, element, fill } from "../dom.js";
import { countText } from "../questions/node-facts.js";
import type { SceneHeader } from "../scene/scene.js";

export interface Notices {
  say(text: string): void;
  error(error: unknown): void;
}

/** Messages shown at once; older ones are removed. More would cover the page. */
const MAX_MESSAGES = 3;

/** `headers`: of the runs shown, the first run first. */
export function createNotices(host: HTMLElement, headers: readonly SceneHeader[]): Notices {
  const messages = element("div", { "aria-live": "polite" });
  const line = (text: string, kind: string) => {
    const made = element("p", { class: kind, role: kind === "app-error" ? "alert" : undefined }, text, " ");
    made.append(button("×", () => made.remove(), { "aria-label": "Close this message" }));
    return made;
  };
  const show = (text: string, kind: string) => {
    // the same message again takes the place of the earlier one
    for (const shown of [...messages.children]) if (shown.firstChild?.textContent === text) shown.remove();
    messages.append(line(text, kind));
    while (messages.childElementCount > MAX_MESSAGES) messages.firstElementChild?.remove();
  };
  fill(
    host,
    messages,
    ...notesOf(headers).map((note) => line(note, "app-note")),
    element("p", {}, `${factsOf(headers)} Drag to move, wheel to zoom, Shift and drag to select, / to search.`),
  );
  return {
    say: (text) => show(text, "app-message"),
    error: (error) => show(error instanceof Error ? error.message : String(error), "app-error"),
  };
}

/** The notes of the runs; with two runs, notes that only one of them has name it. */
function notesOf(headers: readonly SceneHeader[]): string[] {
  const all = new Set(headers.flatMap(({ notes }) => notes));
  return [...all].map((note) => {
    const having = headers.filter(({ notes }) => notes.includes(note));
    return having.length === headers.length ? note : `${having[0].title}: ${note}`;
  });
}

/** "317 nodes · 5,776 edges in 6 relations · model multiview, width 64, seed 1." */
function factsOf(headers: readonly SceneHeader[]): string {
  const [{ numNodes, relations }] = headers;
  const edges = relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
  const runs = headers.map(({ title, model, dim, seed }) => {
    const facts = `model ${model}, width ${dim}, seed ${seed}`;
    return headers.length === 1 ? facts : `${title}: ${facts}`;
  });
  const graph = [
    countText(numNodes, "node"),
    `${countText(edges, "edge")} in ${countText(relations.length, "relation")}`,
  ];
  return `${[...graph, ...runs].join(" · ")}.`;
}
