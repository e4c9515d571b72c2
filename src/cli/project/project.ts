/** `hmge project`: maps vectors into the plane, as a table or a picture. */

import { basename, dirname, extname, join } from "node:path";
import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { choice, flag } from "../../core/options.js";
import { writeAtomically } from "../../io/atomic-write.js";
import { readEmbeddings } from "../../io/formats/embedding-files.js";
import { encodePng } from "../../io/results/png.js";
import { type MapFormat, mapFormat, type NodeLabels, projectionContent } from "../../io/results/projection-file.js";
import { type Labels, loadLabels } from "../../io/tables/labels.js";
import { canShow } from "../../report/charts/dot-font.js";
import { pointMap } from "../../report/charts/point-map.js";
import { pointMapPixels } from "../../report/charts/point-map-pixels.js";
import { formatNumber, formatSeconds, plural } from "../../report/terminal.js";
import { TSNE_OPTIONS } from "../../tasks/projection/index.js";
import type { Arguments, Command } from "../command.js";
import { LABEL_OPTIONS } from "../evaluate/evaluation-options.js";
import { isFolder } from "../folder/is-folder.js";
import { requireOutputFile } from "../folder/output-file.js";
import { PROJECTION } from "../folder/output-folder.js";
import { ENGINE_OPTIONS, readEngine } from "../options/engine-option.js";
import { text } from "../options/flag-kinds.js";
import { labelColumns } from "../options/source-options.js";
import { missingLabels } from "../terminal/missing-labels.js";
import type { Output } from "../terminal/output.js";
import { type PlaneMap, projectPca, projectTsne } from "./plane-map.js";

const OPTIONS = {
  method: choice("tsne", ["tsne", "pca"], { doc: "t-SNE, or the first two principal components" }),
  ...TSNE_OPTIONS,
  labels: text(undefined, {
    value: "FILE",
    doc: "table of node and label; adds a column to a table and colours to a picture",
  }),
  columns: LABEL_OPTIONS.columns,
  out: text(undefined, {
    value: "FILE",
    doc: "output file; the extension chooses the format: a table (.tsv, .csv), .json, or a picture (.svg, .png)",
    defaultText: "projection.tsv in DIR",
  }),
  overwrite: flag(false, { doc: "replace the --out file if it exists" }),
  ...ENGINE_OPTIONS,
};

export const project: Command<typeof OPTIONS> = {
  usage: "DIR [options]",
  options: OPTIONS,
  examples: [
    "vectors",
    "vectors --labels labels.tsv --out map.svg",
    "vectors/embeddings.parquet --perplexity 50 --out map.csv",
    "vectors --labels labels.tsv --out map.png",
    "vectors --method pca --out pca.svg",
    "vectors --sample 20000 --iterations 500",
  ],
  run: runProject,
};

async function runProject(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  if (args.words.length !== 1) {
    throw new InputError(
      `project: ${args.words.length} paths given; expected one, the folder or file of an embedding, such as: hmge project vectors`,
    );
  }
  const begin = performance.now();
  const [source] = args.words;
  const { values, flags } = args;
  const { method, labels: labelPath } = values;
  const foreign = method === "tsne" ? undefined : Object.keys(TSNE_OPTIONS).find((name) => flags.has(name));
  if (foreign !== undefined) {
    throw new InputError(`--${foreign}: pca has no such option; leave it out, or use --method tsne.`);
  }
  const out = values.out ?? (await defaultOut(source));
  const format = mapFormat(out);
  await requireOutputFile(out, values.out === undefined || values.overwrite, args);
  const embedding = await readEmbeddings(source);
  const labels =
    labelPath === undefined
      ? undefined
      : matchLabels(
          await loadLabels(labelPath, undefined, labelColumns(values, { labelsOnly: true })),
          embedding,
          labelPath,
          output,
        );

  const pictured = format === "svg" || format === "png";
  if (pictured && labels?.some((list) => list.length > 1)) {
    const titles = format === "svg" ? "; titles have all" : "";
    output.note(`note: ${labelPath}: nodes with several labels have the colour of their first${titles}`);
  }
  if (format === "png" && labels?.some(([label = ""]) => !canShow(label))) {
    output.note(
      `note: ${labelPath}: the legend of a PNG has Latin letters only, others become "?". Choose an .svg file to see them all.`,
    );
  }

  const plane =
    method === "pca"
      ? projectPca(embedding)
      : await projectTsne(embedding, await readEngine(values, output), values, output);
  if (plane === undefined) {
    output.note("stopped before the first iteration; nothing was written");
    return 130;
  }
  await writeMap(out, format, plane.map, labels, { ...plane, source });
  const { perplexity } = plane.facts;
  if (flags.has("perplexity") && typeof perplexity === "number" && perplexity < values.perplexity) {
    output.note(
      `perplexity ${formatNumber(perplexity)} is used: it cannot be more for ${plural(embedding.ids.length, "node")}`,
    );
  }
  const seconds = (performance.now() - begin) / 1000;
  output.document({ method, nodes: embedding.ids.length, from: embedding.dim, ...plane.facts, seconds, out });
  if (!output.quiet) {
    output.print(`${plural(embedding.ids.length, "node")} to the plane by ${plane.words}, ${formatSeconds(seconds)}`);
    output.print(`  ${out}`);
  }
  return 0;
}

/** `projection.tsv` in the folder, or NAME.projection.tsv next to the file. */
async function defaultOut(source: string): Promise<string> {
  if (await isFolder(source)) return join(source, PROJECTION);
  return join(dirname(source), `${basename(source, extname(source))}.projection.tsv`);
}

/** The labels of each node of the embedding, in its order. Notes say how many do not match. */
function matchLabels(read: Labels, { ids }: Embedding, path: string, output: Output): NodeLabels {
  const { byNode } = read;
  const labels = ids.map((id) => byNode.get(id) ?? []);
  const labelled = labels.filter((list) => list.length > 0).length;
  if (labelled === 0) {
    throw new InputError(
      `${path}: none of its ${plural(byNode.size, "node")} is in the embedding, whose ids look like ${JSON.stringify(ids[0])}. Check that both use the same ids.`,
    );
  }
  const without = ids.length - labelled;
  const known = new Set(ids);
  const missing = missingLabels(read, (id) => known.has(id), "embedding");
  if (missing !== undefined) output.note(`${path}: ${missing.note}`);
  if (without > 0) output.note(`${path}: ${plural(without, "node")} without a label`);
  return labels;
}

async function writeMap(
  out: string,
  format: MapFormat,
  map: Embedding,
  labels: NodeLabels | undefined,
  { title: called, words, source }: Pick<PlaneMap, "title" | "words"> & { source: string },
): Promise<void> {
  if (format !== "svg" && format !== "png") {
    await writeAtomically(out, projectionContent(map, labels, format));
    return;
  }
  const points = map.ids.map((id, i) => ({
    x: map.vectors[2 * i],
    y: map.vectors[2 * i + 1],
    // several labels: the first gives the colour, the title has all
    label: labels?.[i][0],
    title: [id, ...(labels?.[i] ?? [])].join(" · "),
  }));
  const title = `${basename(source)}: ${called}`;
  const description = `${plural(map.ids.length, "node")} in the plane by ${words}.`;
  const options = { title, description, colorLabel: labels === undefined ? undefined : "label" };
  await writeAtomically(out, format === "png" ? encodePng(pointMapPixels(points, options)) : pointMap(points, options));
}
