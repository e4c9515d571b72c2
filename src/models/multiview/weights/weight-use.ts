/** The option `weights` of a model: edge weights are used always, never, or if a test says so (edge-weights.ts). */

import { choiceByName, choicePerName } from "../../../core/options.js";
import { quotedNames } from "../../../core/text.js";
import type { GraphInput } from "../../../nn/model.js";

const values = ["auto", "on", "off"] as const;
/** Relations that a note names. */
const MAX_NAMES = 4;

type Relations = Pick<GraphInput, "relations">;

const option = choiceByName("auto", values, {
  what: "RELATION",
  doc: "use of edge weights: on, off, or auto (on in relations whose weights show at least as much structure as the edges alone)",
});

/** auto, on or off for each relation; throws if the option names an unknown relation. */
function choices({ relations }: Relations, weights: string): string[] {
  const names = relations.map(({ name }) => name);
  return choicePerName(option, weights, names, { values, where: "option weights", what: "relation" });
}

/** A note on relations with the choice on that have no weights; `weighted` says for each relation whether it has weights. */
function notes(graph: Relations, weights: string, weighted: readonly boolean[]): string[] {
  const chosen = choices(graph, weights);
  const unweighted = graph.relations.filter((_, d) => chosen[d] === "on" && !weighted[d]).map(({ name }) => name);
  if (unweighted.length === 0) return [];
  const has = unweighted.length === 1 ? "has" : "have";
  return [
    `option weights: ${quotedNames(unweighted, MAX_NAMES)} ${has} no weights that differ, so "on" has no effect there.`,
  ];
}

/** 1 for each relation with a choice other than auto; empty if all are auto. */
function forced(chosen: readonly string[]): { readonly forced?: Uint32Array } {
  if (chosen.every((choice) => choice === "auto")) return {};
  return { forced: Uint32Array.from(chosen, (choice) => (choice === "auto" ? 0 : 1)) };
}

export const weightUse = { option, choices, notes, forced };
