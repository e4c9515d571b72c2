/** Maps of vectors into the plane, by principal components or by t-SNE with its progress. */

import type { Embedding } from "../../core/embedding.js";
import type { OptionValues } from "../../core/options.js";
import type { Engine } from "../../engine/engine.js";
import { formatCount, formatNumber, formatSeconds, plural } from "../../report/terminal.js";
import { pca, type TSNE_OPTIONS, type TsneMap, type TsneProgress, tsne } from "../../tasks/projection/index.js";
import { listenForInterrupt } from "../terminal/interrupt.js";
import type { Output } from "../terminal/output.js";
import { type ProgressBar, showBar } from "../terminal/progress.js";

const COMPONENTS = "principal components";

/** A map, the facts for the document and the words for people. */
export interface PlaneMap {
  readonly map: Embedding;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly words: string;
}

export function projectPca(embedding: Embedding): PlaneMap {
  const map = pca(embedding);
  const shares = map.shares.map((share) => `${formatNumber(100 * share)} %`);
  return {
    map,
    facts: { varianceShares: map.shares },
    title: COMPONENTS,
    words: `${COMPONENTS} (${shares.join(" and ")} of the variance)`,
  };
}

/** Undefined if Ctrl-C came before the first iteration. */
export async function projectTsne(
  embedding: Embedding,
  engine: Engine,
  { seed, sample, ...options }: OptionValues<typeof TSNE_OPTIONS>,
  output: Output,
): Promise<PlaneMap | undefined> {
  const interrupt = listenForInterrupt(() =>
    output.note("\nstopping after this iteration; press Ctrl-C again to quit now"),
  );
  const progress = tsneProgress(output.quiet);
  let map: TsneMap;
  try {
    map = await tsne(embedding, {
      perplexity: options.perplexity,
      iterations: options.iterations,
      seed,
      sample,
      engine,
      signal: interrupt.signal,
      onProgress: progress.update,
    });
  } finally {
    progress.end();
    interrupt.stop();
  }
  if (map.iterations === 0 && map.stopReason === "aborted") return undefined;
  const { perplexity, neighbors, mapped, search, iterations, stopReason, startDivergence, divergence } = map;
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

/** The approximations of a map of many nodes, in words. */
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
