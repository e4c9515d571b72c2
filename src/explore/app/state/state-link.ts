/** A state as the last part of the page's address (after #), and back. */

import type { State } from "./state.js";
import { checkState, stateValue } from "./state-check.js";

/** Longest link; some programs cut longer ones. The selection is left out of a link that would be longer. */
const MAX_LENGTH = 8000;

/** Characters of a link that each id needs at least: two quotes and a comma, three characters each. */
const MIN_ID_LENGTH = 9;

export interface StateLink {
  /** Without the sign #. */
  readonly text: string;
  readonly isSelectionLeftOut: boolean;
}

/** `all` are the names of all relations: if all are on, the link does not name them. */
export function stateLink(state: State, all: readonly string[]): StateLink {
  const { selected } = state;
  const relations = state.relations.length === all.length ? undefined : state.relations;
  const encode = (value: object) => encodeURIComponent(JSON.stringify(value));
  const short = { ...stateValue(state), relations, selected: undefined };
  if (selected.length === 0) return { text: encode(short), isSelectionLeftOut: false };
  // a million ids need not be encoded to see that they are too many
  const whole = MIN_ID_LENGTH * selected.length > MAX_LENGTH ? undefined : encode({ ...short, selected });
  if (whole === undefined || whole.length > MAX_LENGTH) return { text: encode(short), isSelectionLeftOut: true };
  return { text: whole, isSelectionLeftOut: false };
}

/** The parts of a state that a link holds; a link that is no state holds none. */
export function readStateLink(hash: string): Partial<State> {
  try {
    return checkState(JSON.parse(decodeURIComponent(hash.replace(/^#/, ""))));
  } catch {
    return {};
  }
}
