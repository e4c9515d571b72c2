/** `hmge project`: vectors to points of the plane, as a table or a picture. */

import { InputError, suggest } from "../../core/errors.js";
import { type Command, type Arguments, switchOption, textOption } from "../command.js";
import { basename, dirname, extname, join } from "node:path";
import type { Embedding } from "../../core/embedding.js";
import { writeAtomically } from "../../io/atomic-write.js";
import { encodePng } from "../../io/formats/png.js";
import { type MapFormat, mapFormat, type NodeLabels, projectionContent } from "../../io/formats/projection-file.js";
import { readEmbeddings } from "../../io/formats/write-embeddings.js";
import { type Labels, loadLabels } from "../../io/tables/labels.js";
import { canShow } from "../../report/charts/dot-font.js";
import { pointMap } from "../../report/charts/point-map.js";
import { pointMapPixels } from "../../report/charts/point-map-pixels.js";
import { formatSeconds, plural } from "../../report/terminal.js";
import { isFolder } from "../folder/is-folder.js";
import { requireOutputFile } from "../folder/output-file.js";
import { PROJECTION } from "../folder/output-folder.js";
import { readEngine } from "../options/engine-option.js";
import { readCount, readNumber } from "../options/number-options.js";
import { labelColumns } from "../options/source-options.js";
import type { Output } from "../terminal/output.js";
import { type PlaneMap, projectPca, projectTsne } from "./plane-map.js";

export const project: Command = {
  usage: "DIR [options]",
  options: [
    { name: "method", value: "NAME", doc: "tsne or pca", default: "tsne" },
    {
      name: "perplexity",
      value: "P",
      doc: "t-SNE: effective number of neighbours; at most a third of the nodes is used",
      default: "30",
    },
    {
      name: "iterations",
      value: "N",
      doc: "t-SNE: steps, the first quarter (at most 250) exaggerated",
      default: "1000",
    },
    { name: "seed", value: "N", doc: "t-SNE: of the noise that moves equal vectors apart", default: "1" },
    {
      name: "sample",
      value: "N",
      doc: "t-SNE: nodes that are mapped; of more, a random sample is, and each other node is placed by its nearest sampled ones",
      default: "100000",
    },
    { name: "labels", value: "FILE", doc: "table of node and label: a column of the result, colours of the picture" },
    { name: "columns", value: "ROLE=COLUMN,…", repeatable: true, doc: "columns of FILE, for the roles node and label" },
    {
      name: "out",
      value: "FILE",
      doc: "by its extension: a table (.tsv, .csv), .json, or a picture (.svg, .png)",
      default: "projection.tsv in DIR",
    },
    { name: "overwrite", doc: "replace the file of --out if it exists" },
    {
      name: "threads",
      value: "N",
      doc: "the result does not depend on it",
      default: "as many as the machine runs at once",
    },
  ],
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

const METHODS = ["tsne", "pca"] as const;
type Method = (typeof METHODS)[number];

async function runProject(given: Arguments, output: Output): Promise<number> {
  if (given.words.length !== 1) {
    throw new InputError(
      `project: ${given.words.length} names given; expected one, the folder or file of an embedding, such as: hmge project vectors`,
    );
  }
  const begin = performance.now();
  const [source] = given.words;
  const method = readMethod(given);
  const options = readTsneOptions(given, method);
  const out = textOption(given, "out") ?? (await defaultOut(source));
  const format = mapFormat(out);
  await requireOutputFile(out, textOption(given, "out") === undefined || switchOption(given, "overwrite"));
  const embedding = await readEmbeddings(source);
  const labelPath = textOption(given, "labels");
  const labels =
    labelPath === undefined
      ? undefined
      : matchLabels(
          await loadLabels(labelPath, undefined, labelColumns(given, { alone: true })),
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

  const made =
    method === "pca"
      ? projectPca(embedding)
      : await projectTsne(embedding, await readEngine(given, output), options, output);
  if (made === undefined) {
    output.note("stopped before the first iteration; nothing was written");
    return 130;
  }
  await writeMap(out, format, made.map, labels, { ...made, source });
  const seconds = (performance.now() - begin) / 1000;
  output.document({ method, nodes: embedding.ids.length, from: embedding.dim, ...made.facts, seconds, out });
  if (!output.quiet) {
    output.print(`${plural(embedding.ids.length, "node")} to the plane by ${made.words}, ${formatSeconds(seconds)}`);
    output.print(`  ${out}`);
  }
  return 0;
}

function readMethod(given: Arguments): Method {
  const name = textOption(given, "method") ?? "tsne";
  const method = METHODS.find((known) => known === name);
  if (method === undefined) throw new InputError(`--method: unknown method "${name}"${suggest(name, METHODS)}`);
  return method;
}

function readTsneOptions(given: Arguments, method: Method) {
  const options = {
    perplexity: readNumber(given, "perplexity", 1),
    iterations: readCount(given, "iterations", 1),
    seed: readCount(given, "seed", 0),
    sample: readCount(given, "sample", 1000),
  };
  const foreign = Object.entries(options).find(([, value]) => value !== undefined);
  if (method === "pca" && foreign !== undefined) {
    throw new InputError(`--${foreign[0]}: pca has no such option; leave it out, or use --method tsne.`);
  }
  return options;
}

/** `projection.tsv` in the folder, or beside the file under its name. */
async function defaultOut(source: string): Promise<string> {
  if (await isFolder(source)) return join(source, PROJECTION);
  return join(dirname(source), `${basename(source, extname(source))}.projection.tsv`);
}

/** The labels of each node of the embedding, in its order; tells how many do not fit. */
function matchLabels({ byNode }: Labels, { ids }: Embedding, path: string, output: Output): NodeLabels {
  const labels = ids.map((id) => byNode.get(id) ?? []);
  const labelled = labels.filter((list) => list.length > 0).length;
  if (labelled === 0) {
    throw new InputError(
      `${path}: none of its ${plural(byNode.size, "node")} is in the embedding, whose ids look like ${JSON.stringify(ids[0])}. Check that both use the same ids.`,
    );
  }
  const unknown = byNode.size - labelled;
  const without = ids.length - labelled;
  if (unknown > 0) output.note(`${path}: ${plural(unknown, "labelled node")} not in the embedding, left out`);
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
