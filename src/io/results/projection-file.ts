/** Writes a map, points in the plane, as a table or JSON: node, x, y and, if there are labels, label. */

import type { Embedding } from "../../core/embedding.js";
import { floatText } from "../../core/float-text.js";
import { quoteField } from "../../core/vector-text.js";
import { extensionFormat } from "./extension-format.js";

const FORMATS = ["tsv", "csv", "json", "svg", "png"] as const;
export type MapFormat = (typeof FORMATS)[number];

/** The labels of each node, in the order of the map. */
export type NodeLabels = readonly (readonly string[])[];

/** Separates several labels of a node in one field. */
const LABEL_SEPARATOR = ";";

/** The format of a file by its extension. */
export function mapFormat(path: string): MapFormat {
  return extensionFormat(path, FORMATS);
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
