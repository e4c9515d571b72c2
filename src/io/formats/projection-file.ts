/** Points of the plane as a table or JSON: node, x, y and, where labels are given, label. */

import { extname } from "node:path";
import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { quoteField } from "./delimited.js";
import { floatText } from "./float-text.js";

const FORMATS = ["tsv", "csv", "json", "svg", "png"] as const;
export type MapFormat = (typeof FORMATS)[number];

/** The labels of each node, in the order of the map. */
export type NodeLabels = readonly (readonly string[])[];

/** Between several labels of a node in a field. */
const LABEL_SEPARATOR = ";";

/** The format of a file by its extension. */
export function mapFormat(path: string): MapFormat {
  const extension = extname(path).slice(1).toLowerCase();
  const format = FORMATS.find((known) => known === extension);
  if (format !== undefined) return format;
  const known = FORMATS.map((name) => `.${name}`).join(", ");
  throw new InputError(`${path}: the extension is not one of ${known}. Choose one of them for --out.`);
}

/** The text of the file, in pieces. */
export function* projectionContent(
  { ids, vectors }: Embedding,
  labels: NodeLabels | undefined,
  format: Exclude<MapFormat, "svg" | "png">,
): Generator<string> {
  if (format === "json") {
    yield "[";
    for (let i = 0; i < ids.length; i++) {
      const label = labels === undefined ? "" : `, "label": ${JSON.stringify(labels[i])}`;
      const [x, y] = [floatText(vectors[2 * i]), floatText(vectors[2 * i + 1])];
      yield `${i === 0 ? "" : ","}\n  { "node": ${JSON.stringify(ids[i])}, "x": ${x}, "y": ${y}${label} }`;
    }
    yield "\n]\n";
    return;
  }
  const delimiter = format === "csv" ? "," : "\t";
  yield `${["node", "x", "y", ...(labels === undefined ? [] : ["label"])].join(delimiter)}\n`;
  for (let i = 0; i < ids.length; i++) {
    const fields = [quoteField(ids[i], delimiter), floatText(vectors[2 * i]), floatText(vectors[2 * i + 1])];
    if (labels !== undefined) {
      const text = labels[i].join(LABEL_SEPARATOR);
      fields.push(text === "" ? "" : quoteField(text, delimiter));
    }
    yield `${fields.join(delimiter)}\n`;
  }
}
