/** Detects Cytoscape's simple interaction format. */

import { EDGE_ROLES, findAlias } from "../column-roles.js";
import type { TextHead } from "../text-head.js";

/** Whether the extension is .sif and the first line is not a header; with a header, the file is a table. */
export function isSif({ extension, text }: TextHead): boolean {
  const [first = ""] = text.split(/\r\n|\n|\r/, 1);
  return extension === "sif" && EDGE_ROLES.slice(0, 2).some((role) => findAlias(role, first.split(/\s+/)) < 0);
}
