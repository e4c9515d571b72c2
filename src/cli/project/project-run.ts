/** The work of `hmge project`. */

import { basename, dirname, extname, join } from "node:path";
import type { Embedding } from "../../core/embedding.js";
import { InputError, suggest } from "../../core/errors.js";
import { writeAtomically } from "../../io/atomic-write.js";
import { encodePng } from "../../io/formats/png.js";
import { type MapFormat, mapFormat, type NodeLabels, projectionContent } from "../../io/formats/projection-file.js";
import { readEmbeddings } from "../../io/formats/write-embeddings.js";
import { type Labels, loadLabels } from "../../io/tables/labels.js";
import { canShow } from "../../report/charts/dot-font.js";
import { pointMap } from "../../report/charts/point-map.js";
import { pointMapPixels } from "../../report/charts/point-map-pixels.js";
import { formatCount, formatNumber, formatSeconds, plural } from "../../report/terminal.js";
import { pca, type TsneMap, type TsneProgress, tsne } from "../../tasks/projection/index.js";
import { type Arguments, switchOption, textOption } from "../command.js";
import { isFolder } from "../folder/is-folder.js";
import { requireOutputFile } from "../folder/output-file.js";
import { PROJECTION } from "../folder/output-folder.js";
import { readEngine } from "../options/engine-option.js";
import { readCount, readNumber } from "../options/number-options.js";
import { labelColumns } from "../options/source-options.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { Output } from "../terminal/output.js";
import { type ProgressBar, showBar } from "../terminal/progress.js";

const METHODS = ["tsne", "pca"] as const;
type Method = (typeof METHODS)[number];

const COMPONENTS = "principal components";

/** A map and what is told about it. */
interface Made {
  readonly map: Embedding;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly words: string;
}

export async function runProject(given: Arguments, output: Output): Promise<number> {
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

  const made = method === "pca" ? projectPca(embedding) : await projectTsne(embedding, given, options, output);
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

function projectPca(embedding: Embedding): Made {
  const map = pca(embedding);
  const shares = map.shares.map((share) => `${formatNumber(100 * share)} %`);
  return {
    map,
    facts: { varianceShares: map.shares },
    title: COMPONENTS,
    words: `${COMPONENTS} (${shares.join(" and ")} of the variance)`,
  };
}

async function projectTsne(
  embedding: Embedding,
  given: Arguments,
  options: ReturnType<typeof readTsneOptions>,
  output: Output,
): Promise<Made | undefined> {
  const engine = await readEngine(given, output);
  const interrupt = listenForInterrupt(() =>
    output.note("\nstopping after this iteration; press Ctrl-C again to quit now"),
  );
  const progress = tsneProgress(output.quiet);
  let map: TsneMap;
  try {
    map = await tsne(embedding, { ...options, engine, signal: interrupt.signal, onProgress: progress.update });
  } finally {
    progress.end();
    interrupt.stop();
  }
  if (map.iterations === 0 && map.stopReason === "aborted") return undefined;
  const { perplexity, neighbors, mapped, search, iterations, stopReason, startDivergence, divergence } = map;
  if (options.perplexity !== undefined && perplexity < options.perplexity) {
    output.note(
      `perplexity ${formatNumber(perplexity)} is used: it cannot be more for ${plural(embedding.ids.length, "node")}`,
    );
  }
  const words =
    iterations === 0
      ? `${COMPONENTS} (too few nodes for t-SNE)`
      : `t-SNE (perplexity ${formatNumber(perplexity)}, ${plural(iterations, "iteration")}${stopReason === "aborted" ? ", interrupted" : ""}, divergence ${divergence.toFixed(3)}${shortcutsText(map)})`;
  const facts = {
    perplexity,
    neighbors,
    mapped,
    search,
    iterations,
    stopReason,
    startDivergence,
    divergence,
    engine: engine.description,
  };
  return { map, facts, title: iterations === 0 ? COMPONENTS : "t-SNE", words };
}

/** What a map of many nodes did not compute in full. */
function shortcutsText({ ids, mapped, search }: TsneMap): string {
  const sampled =
    mapped < ids.length
      ? `; ${formatCount(mapped)} nodes drawn at random were mapped, the others placed by their nearest ones`
      : "";
  if (search.method === "exact") return sampled;
  return `; approximate neighbours, recall ${search.recall.toFixed(2)} on ${plural(search.sampled, "sampled node")}${sampled}`;
}

const SEARCHED: Readonly<Record<"neighbors" | "placing", string>> = { neighbors: "neighbours of", placing: "placing" };

/** One bar for the search of neighbours, one for the iterations, and one for placing the nodes that were not mapped. */
function tsneProgress(quiet: boolean) {
  let bar: ProgressBar | undefined;
  let stage: string | undefined;
  let begin = performance.now();
  let divergence: number | undefined;
  return {
    update(report: TsneProgress): void {
      const { done, total } = report;
      if (report.stage !== stage) {
        bar?.end();
        bar = showBar(total, quiet);
        stage = report.stage;
        if (stage !== "neighbors") begin = performance.now();
      }
      divergence = report.divergence ?? divergence;
      const left = ((performance.now() - begin) / 1000 / done) * (total - done);
      bar?.update(done, () => [
        report.stage === "map"
          ? `iteration ${done}/${total}`
          : `${SEARCHED[report.stage]} ${formatCount(done)}/${formatCount(total)}`,
        ...(divergence === undefined ? [] : [`divergence ${divergence.toFixed(3)}`]),
        `${formatSeconds(left)} left`,
      ]);
    },
    end(): void {
      bar?.end();
    },
  };
}

async function writeMap(
  out: string,
  format: MapFormat,
  map: Embedding,
  labels: NodeLabels | undefined,
  { title: called, words, source }: Pick<Made, "title" | "words"> & { source: string },
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
