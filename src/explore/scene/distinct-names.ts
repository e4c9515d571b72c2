/** Distinct names of attributes. */

import type { Attribute } from "./scene.js";

/** Attributes are chosen by name: a name that came before gets a number, and an empty one a word. */
export function withDistinctNames(attributes: readonly Attribute[]): Attribute[] {
  const taken = new Set<string>();
  return attributes.map((attribute) => {
    const name = attribute.name.trim() || "column";
    let distinct = name;
    for (let count = 2; taken.has(distinct); count++) distinct = `${name} (${count})`;
    taken.add(distinct);
    return { ...attribute, name: distinct };
  });
}
