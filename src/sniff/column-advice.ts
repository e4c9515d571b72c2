/** Advice for tables without a header: the --columns option or the header line that would name their columns. */

import { shellWord } from "../core/text.js";
import { smallestOf } from "../numeric/extremes.js";
import { isNumeric } from "./check-value.js";
import type { Role } from "./column-roles.js";
import { endsInTimes, hasArrows, hasCounts, hasTimes, isMultilayer } from "./row-patterns.js";
import type { ScannedRow } from "./row-scanner.js";

/** A header line for the table. For features: one with a column per feature and, if it fits too, one with a row per feature. */
export function headerAdvice(roles: readonly Role[], fields: readonly string[]): string {
  const names = roles.map(({ name }) => name);
  if (!names.includes("feature")) return names.slice(0, Math.max(2, fields.length)).join(",");
  const wide = ["node", ...fields.slice(1, 4).map((_, i) => `f${i + 1}`), ...(fields.length > 4 ? ["…"] : [])].join(
    ",",
  );
  return fields.length > roles.length
    ? wide
    : `${wide} for a column per feature, ${names.slice(0, fields.length).join(",")} for a row per feature`;
}

/** The --columns option for the likely order of columns: by position and, if the first row may be a header, also by name. */
export function columnsAdvice(roles: readonly Role[], rows: readonly ScannedRow[]): string {
  const [{ fields }] = rows;
  if (roles[0].name === "source" && isMultilayer(rows)) {
    return "--columns source=1,relation=2,target=3,weight=5 for node, layer, node, layer, weight; remove the edges between layers first";
  }
  if (roles[0].name === "source" && hasArrows(rows)) return "--columns source=1,target=3";
  const usual = roles.slice(0, Math.max(2, fields.length)).map(({ name }) => name);
  const order = usual[0] === "source" && usual.length >= 3 ? likelyOrder(rows, usual) : usual;
  const option = (column: (i: number) => string) =>
    `--columns ${order.map((name, i) => `${name}=${column(i)}`).join(",")}`;
  const byPosition = option((i) => String(i + 1));
  const mayBeHeader = fields.length >= order.length && !fields.some((field) => isNumeric(field) || /[,=]/.test(field));
  if (!mayBeHeader) return byPosition;
  return `${byPosition}, or, if that line is a header, ${option((i) => shellWord(fields[i]))}`;
}

/** The likely roles of the columns: without times, and with the column with by far the smallest number of distinct values as the relation. */
function likelyOrder(rows: readonly ScannedRow[], usual: readonly string[]): readonly string[] {
  if (endsInTimes(rows)) return usual.slice(0, 2);
  if ((hasTimes(rows) || hasCounts(rows)) && rows.every(({ fields }) => isNumeric(fields[2])))
    return ["source", "target", "weight"];
  if (usual.length > 3) return usual;
  const distinct = [0, 1, 2].map((index) => new Set(rows.map(({ fields }) => fields[index])).size);
  const smallest = distinct.indexOf(smallestOf(distinct));
  const isClear = distinct.every((count, index) => index === smallest || count > 2 * distinct[smallest]);
  if (!isClear || smallest === 2) return usual;
  return smallest === 1 ? ["source", "relation", "target"] : ["relation", "source", "target"];
}
