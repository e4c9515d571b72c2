/** Patterns in rows without a header that show which columns they have. */

import { isNumeric } from "../tables/columns.js";
import type { ScannedRow } from "./row-scanner.js";

/** `a -> b` or `a -- b`: a sign between the ends of each edge. */
export function hasArrows(rows: readonly ScannedRow[]): boolean {
  return rows.every(({ fields }) => fields.length >= 3 && /^(<?[-=~]+>?|[→↔⇒]|\|)$/.test(fields[1]));
}

/** Node, layer, node, layer, weight, as tools for multilayer networks write them. */
export function betweenLayers(rows: readonly ScannedRow[]): boolean {
  const within = rows.filter(({ fields }) => fields[1] === fields[3]).length;
  return rows.every(({ fields }) => fields.length === 5 && isNumeric(fields[4])) && 2 * within >= rows.length;
}

/** Seconds since 1970 are above this since 1973, and ids of most graphs below. */
const EARLIEST_TIME = 1e8;
/** More layers than this among the ids of the next column are no layers. */
const MAX_LAYERS = 20;

/** `source target time`, or with a rating before the time. */
export function endsInTimes(rows: readonly ScannedRow[]): boolean {
  const isTime = (text = "") => /^\d+$/.test(text) && Number(text) >= EARLIEST_TIME;
  return rows.every(({ fields }) => isTime(fields.at(-1))) && !rows.some(({ fields }) => isTime(fields[1]));
}

/** Ends with times, or with numbers that are no ids: they would become nodes or weights, and sources relations. */
export function withTimes(rows: readonly ScannedRow[]): boolean {
  if (endsInTimes(rows)) return true;
  const [first, second, third] = [0, 1, 2].map((index) => new Set(rows.map(({ fields }) => fields[index] ?? "")));
  if (rows[0].fields.length !== 3 || first.size <= MAX_LAYERS || !among(first, second)) return false;
  // of layer, source and target the last two have ids in common, about as many as parts of one of them
  const [even, odd] = [0, 1].map(
    (part) => new Set(rows.filter((_, i) => i % 2 === part).map(({ fields }) => fields[1])),
  );
  return 2 * shareAmong(third, second) < shareAmong(odd, even) || !among(third, second);
}

/** `source target number`, of few numbers, which may be among the ids: sources would become relations. */
export function withCounts(rows: readonly ScannedRow[]): boolean {
  if (rows[0].fields.length !== 3) return false;
  const [first, second, third] = [0, 1, 2].map((index) => new Set(rows.map(({ fields }) => fields[index] ?? "")));
  if (first.size <= MAX_LAYERS || 2 * third.size >= first.size) return false;
  // of layer, source and target the last two have ids in common
  return !among(second, third) || (among(first, second) && 2 * third.size < second.size);
}

function shareAmong(texts: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...texts].filter((text) => others.has(text)).length / texts.size;
}

function among(texts: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...texts].some((text) => others.has(text));
}
