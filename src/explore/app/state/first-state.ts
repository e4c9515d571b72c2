/** What the page shows before a visitor has chosen anything. */

import { defaultNames, namesNodes } from "../../questions/node-names.js";
import type { Attribute, Scene } from "../../scene/scene.js";
import type { State } from "./state.js";

/** The first map, all relations, edges as the selection suggests, names if a column holds them, and colours by the first classes. */
export function firstState({ header, attributes }: Scene): State {
  return {
    map: { name: header.maps[0] ?? "" },
    relations: header.relations.map(({ name }) => name),
    edges: undefined,
    color: defaultColor(attributes)?.name,
    labels: defaultNames(attributes)?.name,
    hidden: [],
    selected: [],
  };
}

/** The first column of classes, else the first of numbers. Names give each node a colour of its own, so they come last. */
export function defaultColor(attributes: readonly Attribute[]): Attribute | undefined {
  const isClasses = (attribute: Attribute) => attribute.kind === "category" && !namesNodes(attribute);
  return attributes.find(isClasses) ?? attributes.find(({ kind }) => kind === "number") ?? attributes[0];
}
