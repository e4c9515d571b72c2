/** Finds nodes by their ids; the error for an unknown id suggests the most similar one. */

import { InputError, nearestName } from "../../core/errors.js";
import { valueText } from "../../core/validation.js";

/** Maximum number of ids that are compared letter by letter with an unknown id; keeps a million ids quick. Not tuned. */
const MAX_COMPARED = 20_000;
/** Letters of an unknown id per edit that a suggested id may differ by: one edit from 3 letters on, two from 6. */
const LETTERS_PER_EDIT = 3;

/** Indices of the nodes with these ids; throws at an unknown id and suggests a similar one. */
export function findNodes(ids: readonly string[], nodes: readonly string[], where: string): number[] {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    throw new InputError(`${where}: ${valueText(node)} is not an id; expected a string. Convert it with String(id).`);
  }
  const indexOf = new Map(nodes.map((node) => [node, -1]));
  ids.forEach((id, i) => {
    if (indexOf.has(id)) indexOf.set(id, i);
  });
  return nodes.map((node) => {
    const place = indexOf.get(node) ?? -1;
    if (place >= 0) return place;
    const similar = similarId(ids, node);
    const advice =
      similar === undefined ? `ids look like ${JSON.stringify(ids[0])}` : `did you mean ${JSON.stringify(similar)}?`;
    throw new InputError(`${where}: no node ${JSON.stringify(node)} among ${ids.length}; ${advice}`);
  });
}

/**
 * The id that differs from `word` in case only, else the first that begins with it, else the id with the fewest edits among
 * a bounded number of ids of similar length. Undefined if no id is near.
 */
export function similarId(ids: readonly string[], word: string): string | undefined {
  const lower = word.toLowerCase();
  let begins: string | undefined;
  const close: string[] = [];
  for (const id of ids) {
    if (Math.abs(id.length - word.length) <= 2) {
      if (id.toLowerCase() === lower) return id;
      if (close.length < MAX_COMPARED) close.push(id);
      else if (id[0]?.toLowerCase() === lower[0] && close.length < 2 * MAX_COMPARED) close.push(id);
    }
    if (begins === undefined && lower.length >= 2 && id.length > word.length && id.toLowerCase().startsWith(lower)) {
      begins = id;
    }
  }
  return begins ?? nearestName(word, close, Math.floor(word.length / LETTERS_PER_EDIT));
}
