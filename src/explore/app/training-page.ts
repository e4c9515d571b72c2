/** The page that trains: the training panel beside a map that moves while the model learns. */

import { type Embedding, type TrainedDecoder, VERSION } from "../../index.js";
import { button, type Component, element, fill } from "../dom.js";
import { createMapView } from "../map/map-view.js";
import { buildScene, type SceneParts } from "../scene/build-scene.js";
import type { Attribute } from "../scene/scene.js";
import type { TrainingResult } from "../training/messages.js";
import { createTrainingPanel } from "../training/training-panel.js";
import { acceptDrops } from "./files/page-files.js";

export interface TrainingPageOptions {
  /** A file that was dropped already. */
  readonly file?: File;
  /** Opens the explorer with the trained run. */
  readonly onExplore: (parts: SceneParts) => void;
  /** Returns to the run that was open before; undefined if there was none. */
  readonly onBack?: () => void;
}

export function createTrainingPage(host: HTMLElement, { file, onExplore, onBack }: TrainingPageOptions): Component {
  const bar = element(
    "header",
    { class: "app-bar" },
    element("h1", { class: "app-title" }, "Train on a multiplex graph"),
    onBack === undefined ? undefined : button("Back to the map", onBack),
  );
  const panelHost = element("div", { class: "app-left" });
  const mapHost = element("div", { class: "app-map" });
  fill(
    host,
    element("div", { class: "app app-training" }, bar, panelHost, element("main", { class: "app-maps" }, mapHost)),
  );
  const map = createMapView(mapHost, {});
  const mapName = element("p", { class: "app-map-name" });
  mapHost.append(mapName);
  const panel = createTrainingPanel(panelHost, {
    onSnapshot({ positions, epoch }) {
      map.setPositions(positions);
      mapName.textContent = `First two principal components after epoch ${epoch}`;
    },
    onExplore: (result) => onExplore(trainedScene(result)),
  });
  const drops = acceptDrops((dropped) => void panel.open(dropped));
  if (file !== undefined) void panel.open(file);
  return {
    dispose() {
      drops.dispose();
      panel.dispose();
      map.dispose();
      fill(host);
    },
  };
}

/** The scene of a run that the page trained. */
export function trainedScene(result: TrainingResult): SceneParts {
  const { title, model, seed, graph, dim, vectors, facets, maps, decoder, notes } = result;
  const embedding: Embedding = { ids: graph.ids, dim, vectors };
  return buildScene({
    program: VERSION,
    title,
    model,
    seed,
    embedding,
    facets,
    maps,
    attributes: [degreeAttribute(graph)],
    graph,
    ...(decoder === undefined ? {} : { decoder: trainedDecoder(decoder, embedding, graph.directed) }),
    notes,
  });
}

/** Incoming and outgoing edges, summed over all relations, as on the command line. */
function degreeAttribute({ numNodes, relations, directed }: TrainingResult["graph"]): Attribute {
  const values = new Float32Array(numNodes);
  for (const { rowStart, columns } of relations) {
    for (let i = 0; i < numNodes; i++) values[i] += rowStart[i + 1] - rowStart[i];
    if (directed) for (const target of columns) values[target]++;
  }
  return { name: "degree", kind: "number", values };
}

/** The decoder of the page's result in the form of the library. */
function trainedDecoder(
  { score, relations }: NonNullable<TrainingResult["decoder"]>,
  { ids }: Embedding,
  directed: boolean,
): TrainedDecoder {
  return {
    score,
    directed,
    vectors(relation) {
      const { width, source, target } = relations[relation];
      const side = (vectors: Float32Array): Embedding => ({ ids, dim: width, vectors });
      return { source: side(source), target: side(target) };
    },
  };
}
