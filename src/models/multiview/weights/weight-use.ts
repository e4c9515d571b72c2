/** The option of a model that says whether edge weights are used: found out by the data (edge-weights.ts), always or never. */

import { quotedNames } from "../../../core/text.js";
import { choiceByName, choicePerName } from "../../../core/options.js";
import type { GraphInput } from "../../../nn/model.js";

const values = ["auto", "on", "off"] as const;
const MAX_NAMES = 4;

type Relations = Pick<GraphInput, "relations">;

const option = choiceByName("auto", values, {
  what: "RELATION",
  doc: "whether edge weights are used: on, off, or auto: where they expose at least as much structure as edges alone",
});

/** For each relation auto, on or off; names that are no relations are refused. */
function choices({ relations }: Relations, weights: string): string[] {
  const names = relations.map(({ name }) => name);
  return choicePerName(option, weights, names, { values, where: "option weights", what: "relation" });
}

/** Weights that were asked for and are not there; `weighted` says of each relation whether it has some. */
function notes(graph: Relations, weights: string, weighted: readonly boolean[]): string[] {
  const chosen = choices(graph, weights);
  const bare = graph.relations.filter((_, d) => chosen[d] === "on" && !weighted[d]).map(({ name }) => name);
  if (bare.length === 0) return [];
  const has = bare.length === 1 ? "has" : "have";
  return [
    `option weights: ${quotedNames(bare, MAX_NAMES)} ${has} no weights that differ, so on changes nothing there.`,
  ];
}

/** 1 for each relation whose choice is the user's; nothing where all are found out. */
function forced(chosen: readonly string[]): { readonly forced?: Uint32Array } {
  if (chosen.every((choice) => choice === "auto")) return {};
  return { forced: Uint32Array.from(chosen, (choice) => (choice === "auto" ? 0 : 1)) };
}

export const weightUse = { option, choices, notes, forced };
