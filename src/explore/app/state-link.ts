/** A state as the last part of the page's address (after #), and back. */

import type { State } from "./state.js";
import { checkState, stateValue } from "./state-check.js";

/** Longest link; some programs cut longer ones. The selection is left out of a link that would be longer. */
const MAX_LENGTH = 8000;

/** Without the sign #. `all` are the names of all relations: if all are on, the link does not name them. */
export function stateLink(state: State, all: readonly string[]): string {
  const { selected } = state;
  const relations = state.relations.length === all.length ? undefined : state.relations;
  const encode = (value: object) => encodeURIComponent(JSON.stringify(value));
  const short = { ...stateValue(state), relations, selected: undefined };
  const whole = encode({ ...short, ...(selected.length > 0 ? { selected } : {}) });
  return whole.length <= MAX_LENGTH ? whole : encode(short);
}

/** The parts of a state that a link holds; a link that is no state holds none. */
export function readStateLink(hash: string): Partial<State> {
  try {
    return checkState(JSON.parse(decodeURIComponent(hash.replace(/^#/, ""))));
  } catch {
    return {};
  }
}
