/** The map of one run, kept in step with the state. */

import { type Component, element } from "../dom.js";
import { cameraToSee } from "../map/camera.js";
import { createMapView, type MapView } from "../map/map-view.js";
import type { LegendLine } from "../map/picture-legend.js";
import { nodeColors, plainColors } from "../questions/color-scale.js";
import { drawnEdges } from "../questions/drawn-edges.js";
import { shownText } from "../questions/node-facts.js";
import { nodeName } from "../questions/node-names.js";
import { type Rgb, relationColor } from "../questions/palette.js";
import { loadRelations } from "../questions/relation-rows.js";
import type { Attribute, CategoryAttribute, Scene } from "../scene/scene.js";
import { legendLines } from "./legend-lines.js";
import { type EdgeChoice, edgeChoice, type MapChoice, type State, type Store } from "./state/state.js";
import type { Theme } from "./theme.js";

export interface SceneViewOptions {
  /** The run whose map is shown. */
  readonly scene: Scene;
  /** The run that has the edges: the first one. */
  readonly edgesOf: Scene;
  readonly store: Store;
  /** Index of a node by its id; -1 if there is none. */
  readonly indexOf: (id: string) => number;
  readonly theme: Theme;
  readonly attributes: readonly Attribute[];
  /** The column whose texts label the nodes; undefined: their ids do. */
  readonly names: CategoryAttribute | undefined;
  /** Whether the camera of this map is part of the state. */
  readonly isFirst: boolean;
  readonly onHover: (node: number, clientX: number, clientY: number) => void;
  /** Edges on the map, and edges that its limit left out. */
  readonly onDrawn?: (drawn: { readonly count: number; readonly leftOut: number }) => void;
  readonly onError: (error: unknown) => void;
}

export interface SceneView extends Component {
  readonly map: MapView;
  /** The lines of a legend for a picture of the map. */
  legend(): LegendLine[];
  update(changes: Partial<Pick<SceneViewOptions, "theme" | "attributes" | "names">>): void;
}

export function createSceneView(host: HTMLElement, options: SceneViewOptions): SceneView {
  const { scene, edgesOf, store, indexOf, isFirst } = options;
  let { theme, attributes, names } = options;
  const { numNodes } = scene.header;
  const place = element("div", { class: "app-map" });
  host.append(place);
  const map = createMapView(place, {
    onHover: options.onHover,
    onClick(node, { additive }) {
      if (node < 0) {
        if (!additive) store.set({ focus: undefined, selected: [] });
        return;
      }
      const id = scene.ids[node];
      const { selected } = store.state;
      if (!additive) store.set({ focus: id });
      else
        store.set({ selected: selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id] });
    },
    onSelect(nodes, { additive }) {
      const ids = Array.from(nodes, (node) => scene.ids[node]);
      const { selected, focus } = store.state;
      store.set({
        selected: additive ? [...new Set([...selected, ...ids])] : ids,
        focus: ids.length === 0 ? undefined : focus,
      });
    },
    onCamera: (camera) => {
      if (isFirst) store.set({ camera });
    },
  });

  const isRun = { positions: 0, edges: 0 };
  const report = (error: unknown) => options.onError(error);

  let positions: Float32Array = new Float32Array();
  let edgeColors: Uint8Array = new Uint8Array();

  /** Moves the map to the focus if it is out of view, as after a search. */
  function showFocus({ focus }: State): void {
    const node = focus === undefined ? -1 : indexOf(focus);
    if (node < 0) return;
    const size = { width: place.clientWidth, height: place.clientHeight };
    const camera = cameraToSee(map.camera, size, positions[2 * node], positions[2 * node + 1]);
    if (camera === map.camera) return;
    map.camera = camera;
    if (isFirst) store.set({ camera });
  }

  async function showPositions({ map: choice }: State): Promise<void> {
    const run = ++isRun.positions;
    const chosen = await mapPositions(scene, choice);
    if (run !== isRun.positions) return;
    positions = chosen;
    map.setPositions(positions);
    const { camera } = store.state;
    if (isFirst && camera !== undefined) map.camera = camera;
  }

  const colorAttribute = ({ color }: State) => attributes.find(({ name }) => name === color);
  function colors(state: State): Uint8Array {
    const { hidden } = state;
    const attribute = colorAttribute(state);
    return attribute === undefined ? plainColors(numNodes, theme) : nodeColors(attribute, new Set(hidden), theme);
  }

  /** Nodes by id, without ids that are not in the graph. */
  const nodesOf = (ids: readonly string[]) => ids.map(indexOf).filter((node) => node >= 0);

  function showEmphasis({ selected, focus }: State): void {
    const nodes = nodesOf(selected);
    const mask = nodes.length === 0 ? undefined : new Uint8Array(numNodes);
    for (const node of nodes) mask![node] = 1;
    map.setEmphasis({ selected: mask, focus: focus === undefined ? -1 : indexOf(focus) });
  }

  /** Without a selection, the focus and its neighbours stand out, so that their edges are seen among many nodes. */
  function showNeighborhood(focus: number, ends: Uint32Array, edges: EdgeChoice): void {
    const mask = edges === "selection" && ends.length > 0 ? new Uint8Array(numNodes) : undefined;
    if (mask !== undefined) for (const node of ends) mask[node] = 1;
    map.setEmphasis({ selected: mask, focus });
  }

  async function showEdges(state: State): Promise<void> {
    const run = ++isRun.edges;
    const on = edgesOf.header.relations.flatMap(({ name }, d) => (state.relations.includes(name) ? [d] : []));
    const focus = state.focus === undefined ? -1 : indexOf(state.focus);
    const edges = edgeChoice(state);
    const chosen = nodesOf(state.selected);
    if (focus >= 0 && edges === "selection") chosen.push(focus);
    const isNothing = edges === "none" || (edges !== "all" && chosen.length === 0);
    const relations = isNothing ? [] : await loadRelations(edgesOf, on);
    if (run !== isRun.edges) return;
    const rgba = colors(state);
    const hidden = new Uint8Array(numNodes);
    // inside the selection, edges of other nodes are not drawn either
    if (edges === "inside") {
      hidden.fill(1);
      for (const node of chosen) hidden[node] = 0;
    }
    for (let node = 0; node < numNodes; node++) if (rgba[4 * node + 3] === 0) hidden[node] = 1;
    const drawn = drawnEdges(relations, { theme, hidden, ...(edges === "all" ? {} : { nodes: chosen }) });
    edgeColors = drawn.colors;
    map.setEdges(drawn.ends, drawn.colors);
    if (state.selected.length === 0 && focus >= 0) showNeighborhood(focus, drawn.ends, edges);
    options.onDrawn?.({ count: drawn.ends.length / 2, leftOut: drawn.leftOut });
  }

  function showAll(state: State): void {
    map.setColors(colors(state));
    showEmphasis(state);
    showEdges(state).catch(report);
  }

  const showLabels = () =>
    map.setLabels((node) => shownText(nodeName({ ids: scene.ids, names }, node)), importance(attributes));
  showLabels();
  showPositions(store.state).then(() => showAll(store.state), report);

  const unsubscribe = store.subscribe((state, changed) => {
    const has = (...keys: readonly (keyof State)[]) => keys.some((key) => changed.has(key));
    if (has("map")) showPositions(state).catch(report);
    if (has("color", "hidden")) map.setColors(colors(state));
    if (has("selected", "focus")) showEmphasis(state);
    if (has("selected", "focus", "relations", "edges", "hidden")) showEdges(state).catch(report);
    if (has("camera") && state.camera === undefined) map.fit();
    else if (has("camera") && isFirst && state.camera !== undefined) map.camera = state.camera;
    if (has("focus")) showFocus(state);
  });

  return {
    map,
    legend() {
      const { relations: on, hidden } = store.state;
      const relations = edgesOf.header.relations
        .map(({ name }, relation) => ({ relation, name }))
        .filter(({ relation, name }) => on.includes(name) && hasColor(edgeColors, relationColor(relation, theme)));
      return legendLines({ attribute: colorAttribute(store.state), hidden, relations, theme });
    },
    update(changes) {
      theme = changes.theme ?? theme;
      attributes = changes.attributes ?? attributes;
      if ("names" in changes) names = changes.names;
      if (changes.attributes !== undefined || "names" in changes) showLabels();
      showAll(store.state);
    },
    dispose() {
      unsubscribe();
      map.dispose();
      place.remove();
    },
  };
}

/** Whether an edge has this colour; `rgba` has four bytes for each edge. */
function hasColor(rgba: Uint8Array, [red, green, blue]: Rgb): boolean {
  for (let at = 0; at < rgba.length; at += 4)
    if (rgba[at] === red && rgba[at + 1] === green && rgba[at + 2] === blue) return true;
  return false;
}

/** Nodes of a high degree are labelled first. */
function importance(attributes: readonly Attribute[]): Float32Array | undefined {
  const degree = attributes.find(({ name, kind }) => kind === "number" && name === "degree");
  return degree?.kind === "number" ? degree.values : undefined;
}

/** x and y of each node on the chosen map; an unknown name means the first map. */
export async function mapPositions(scene: Scene, choice: MapChoice): Promise<Float32Array> {
  if ("name" in choice || choice.columns.some((column) => column >= scene.header.dim)) {
    const name = "name" in choice ? choice.name : undefined;
    return (scene.maps.find((map) => map.name === name) ?? scene.maps[0]).positions;
  }
  const [first, second] = choice.columns;
  const { dim, numNodes } = scene.header;
  const vectors = await scene.vectors();
  const positions = new Float32Array(2 * numNodes);
  for (let i = 0; i < numNodes; i++) {
    positions[2 * i] = vectors[i * dim + first];
    positions[2 * i + 1] = vectors[i * dim + second];
  }
  return positions;
}

/** The two columns of the vectors with the largest variance, in their order; the only column twice if there is one. */
export async function widestColumns({ header: { dim, numNodes }, vectors }: Scene): Promise<[number, number]> {
  const data = await vectors();
  const variances = Array.from({ length: dim }, (_, column) => {
    let [sum, squares] = [0, 0];
    for (let i = column; i < data.length; i += dim) {
      sum += data[i];
      squares += data[i] ** 2;
    }
    return { column, variance: squares / numNodes - (sum / numNodes) ** 2 };
  });
  const [first, second = first] = variances.sort((a, b) => b.variance - a.variance).map(({ column }) => column);
  return first < second ? [first, second] : [second, first];
}
