/** Patterns in rows without a header that show which roles their columns play. */

import { isNumeric } from "./check-value.js";
import type { ScannedRow } from "./row-scanner.js";

/** `a -> b` or `a -- b`: an arrow or a line between the endpoints of every edge. */
export function hasArrows(rows: readonly ScannedRow[]): boolean {
  return rows.every(({ fields }) => fields.length >= 3 && /^(<?[-=~]+>?|[→↔⇒]|\|)$/.test(fields[1]));
}

/** `node layer node layer weight`, as tools for multilayer networks write edges; at least half of them within a layer. */
export function isMultilayer(rows: readonly ScannedRow[]): boolean {
  const withinLayer = rows.filter(({ fields }) => fields[1] === fields[3]).length;
  return rows.every(({ fields }) => fields.length === 5 && isNumeric(fields[4])) && 2 * withinLayer >= rows.length;
}

/** Seconds since 1970: 1e8 was reached in 1973, and ids of most graphs are smaller. */
const MIN_TIME = 1e8;
/** A first column with more distinct values than this may hold ids instead of layers; not tuned. */
const MAX_LAYERS = 20;

/** `source target time`, or `source target rating time`. */
export function endsInTimes(rows: readonly ScannedRow[]): boolean {
  const isTime = (text = "") => /^\d+$/.test(text) && Number(text) >= MIN_TIME;
  return rows.every(({ fields }) => isTime(fields.at(-1))) && !rows.some(({ fields }) => isTime(fields[1]));
}

/**
 * Whether the last column holds times, or other numbers that are not ids. Read as `layer source target`, these rows would turn
 * sources into relations and times into nodes.
 */
export function hasTimes(rows: readonly ScannedRow[]): boolean {
  if (endsInTimes(rows)) return true;
  const [first, second, third] = distinctValues(rows);
  if (rows[0].fields.length !== 3 || first.size <= MAX_LAYERS || !intersects(first, second)) return false;
  // In `layer source target`, sources and targets have about as many ids in common as two halves of the sources have.
  const [even, odd] = [0, 1].map(
    (half) => new Set(rows.filter((_, i) => i % 2 === half).map(({ fields }) => fields[1])),
  );
  return 2 * shareIn(third, second) < shareIn(odd, even) || !intersects(third, second);
}

/**
 * Whether the rows are `source target number` with few distinct numbers, which may also occur as ids. Read as
 * `layer source target`, these rows would turn sources into relations.
 */
export function hasCounts(rows: readonly ScannedRow[]): boolean {
  if (rows[0].fields.length !== 3) return false;
  const [first, second, third] = distinctValues(rows);
  if (first.size <= MAX_LAYERS || 2 * third.size >= first.size) return false;
  // In `layer source target`, sources and targets have ids in common.
  return !intersects(second, third) || (intersects(first, second) && 2 * third.size < second.size);
}

/** The distinct values of the first three columns. */
function distinctValues(rows: readonly ScannedRow[]): ReadonlySet<string>[] {
  return [0, 1, 2].map((index) => new Set(rows.map(({ fields }) => fields[index] ?? "")));
}

/** Share of `texts` that are also in `others`. */
function shareIn(texts: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...texts].filter((text) => others.has(text)).length / texts.size;
}

function intersects(texts: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...texts].some((text) => others.has(text));
}
