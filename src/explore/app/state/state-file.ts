/** A state as a file that opens again. */

import { InputError } from "../../../index.js";
import type { SceneHeader } from "../../scene/scene.js";
import type { State } from "./state.js";
import { checkState, isRecord, stateValue } from "./state-check.js";

/** Tells a state from other JSON. */
const FORMAT = "hmge explorer state";

export function stateFile(state: State, { title, numNodes, model, seed }: SceneHeader): string {
  const scene = { title, numNodes, model, seed };
  return JSON.stringify({ format: FORMAT, version: 1, scene, state: stateValue(state) }, undefined, 2);
}

export function isStateFile(text: string): boolean {
  return text.slice(0, 200).includes(FORMAT);
}

/** Throws if the text is no state, or a state of a graph with another number of nodes. */
export function readStateFile(text: string, name: string, { numNodes }: SceneHeader): Partial<State> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError(`${name}: not valid JSON; expected a state that this page saved.`);
  }
  if (!isRecord(value) || value["format"] !== FORMAT) {
    throw new InputError(`${name}: found other data; expected a state that this page saved.`);
  }
  const scene = isRecord(value["scene"]) ? value["scene"] : {};
  if (scene["numNodes"] !== numNodes) {
    throw new InputError(
      `${name}: a state of a graph with ${String(scene["numNodes"])} nodes; this one has ${numNodes}. Open the graph it was saved from.`,
    );
  }
  return checkState(value["state"]);
}
