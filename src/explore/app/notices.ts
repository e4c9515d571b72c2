/** The line below the map: facts of the run, notes, and what went wrong. */

import { button, element, fill } from "../dom.js";
import type { SceneHeader } from "../scene/scene.js";

export interface Notices {
  say(text: string): void;
  error(error: unknown): void;
}

export function createNotices(host: HTMLElement, header: SceneHeader): Notices {
  const { numNodes, relations, model, dim, seed, notes } = header;
  const edges = relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
  const count = (number: number, noun: string) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const facts = [
    count(numNodes, "node"),
    `${count(edges, "edge")} in ${count(relations.length, "relation")}`,
    `model ${model}, width ${dim}, seed ${seed}`,
  ];
  const messages = element("div", { "aria-live": "polite" });
  const show = (text: string, kind: string) => {
    const line = element("p", { class: kind, role: kind === "app-error" ? "alert" : undefined }, text, " ");
    line.append(button("×", () => line.remove(), { "aria-label": "Close this message" }));
    messages.append(line);
  };
  fill(
    host,
    messages,
    ...notes.map((note) => element("p", { class: "app-note" }, note)),
    element("p", {}, `${facts.join(" · ")}. Drag to move, wheel to zoom, Shift and drag to select, / to search.`),
  );
  return {
    say: (text) => show(text, "app-message"),
    error: (error) => show(error instanceof Error ? error.message : String(error), "app-error"),
  };
}
