/** The whole page of one run, or of two runs of one graph side by side. */

import { type Component, element, fill } from "../dom.js";
import { download } from "../download.js";
import { createColorLegend } from "../panels/color-legend.js";
import { createHoverCard } from "../panels/hover-card.js";
import { createNodePanel } from "../panels/node-panel.js";
import { createPredictionList } from "../panels/prediction-list.js";
import { createRelationList } from "../panels/relation-list.js";
import { createSearchBox } from "../panels/search-box.js";
import { createSelectionPanel } from "../panels/selection-panel.js";
import { isEdgeTable, readNodeTable } from "../questions/node-table.js";
import { withDistinctNames } from "../scene/distinct-names.js";
import type { Attribute, Scene } from "../scene/scene.js";
import { alignScene } from "./aligned-scene.js";
import { createNotices } from "./notices.js";
import { acceptDrops, chooseFile, requireFileSize } from "./page-files.js";
import { connectHistory } from "./page-history.js";
import { createSceneView, type SceneView } from "./scene-view.js";
import { type State, Store } from "./state.js";
import { isStateFile, readStateFile, stateFile } from "./state-file.js";
import { readStateLink } from "./state-link.js";
import { ThemeChoice } from "./theme.js";
import { createToolBar } from "./tool-bar.js";

export interface ExplorerOptions {
  /** One run, or two of one graph. */
  readonly scenes: readonly [Scene, Scene?];
  /** Opens the training page, with a file if one was dropped; undefined where the page cannot train. */
  readonly onTrain?: (file?: File) => void;
  /** Further entries of the menu "Save and open". */
  readonly files?: readonly { readonly label: string; readonly run: () => Promise<void> }[];
}

export function createExplorer(
  host: HTMLElement,
  { scenes: [first, other], onTrain, files = [] }: ExplorerOptions,
): Component {
  const { header } = first;
  const relationNames = header.relations.map(({ name }) => name);
  const initial = firstState(first);
  const store = new Store({ ...initial, ...readStateLink(location.hash) });
  const theme = new ThemeChoice();
  const indexOf = idIndex(first.ids);
  let added: readonly Attribute[] = [];
  let canGo = { back: false, forward: false };
  let relationOfPredictions = 0;

  const bar = element("header", { class: "app-bar" });
  const left = element("aside", { class: "app-left", "aria-label": "Relations and colours" });
  const maps = element("main", { class: "app-maps", "aria-label": "Map" });
  const right = element("aside", { class: "app-right", "aria-label": "Node and selection" });
  const foot = element("footer", { class: "app-foot" });
  fill(host, element("div", { class: "app" }, bar, left, maps, right, foot));
  const notices = createNotices(foot, header);

  const onIds = () => header.relations.flatMap(({ name }, d) => (store.state.relations.includes(name) ? [d] : []));
  const focused = () => (store.state.focus === undefined ? -1 : indexOf(store.state.focus));
  const selected = () => store.state.selected.map(indexOf).filter((node) => node >= 0);
  const focus = (node: number) => store.set({ focus: first.ids[node] });
  const section = (title: string, place: HTMLElement) => {
    const content = element("div");
    place.append(element("section", { class: "app-section" }, element("h2", {}, title), content));
    return content;
  };

  const shown = other === undefined ? [first] : [first, alignScene(other, first.ids)];
  let hover: ReturnType<typeof createHoverCard> | undefined;
  let panels: readonly Component[] = [];
  let update: (changed: ReadonlySet<keyof State>) => void = () => undefined;

  const views: SceneView[] = shown.map((scene, k) =>
    createSceneView(maps, {
      scene,
      edgesOf: first,
      store,
      indexOf,
      theme: theme.theme,
      attributes: first.attributes,
      isFirst: k === 0,
      onHover(node, x, y) {
        const { left: across, top } = maps.getBoundingClientRect();
        if (node < 0) hover?.hide();
        else hover?.show(node, x - across, y - top);
      },
      onDrawn: k === 0 ? (drawn) => relations.update({ drawn }) : undefined,
      onError: notices.error,
    }),
  );
  if (shown.length > 1) {
    shown.forEach((scene, k) => {
      maps.children[k].append(element("p", { class: "app-map-name" }, scene.header.title));
    });
  }

  const tools = createToolBar(bar, {
    header,
    map: store.state.map,
    theme: theme.theme,
    onMap: (map) => store.set({ map, camera: undefined }),
    onTool: (tool) => {
      for (const { map } of views) map.setTool(tool);
    },
    onFit() {
      for (const { map } of views) map.fit();
      store.set({ camera: undefined });
    },
    onZoom: (factor) => {
      for (const { map } of views) map.zoomBy(factor);
    },
    onTheme: () => theme.toggle(),
    onTrain: onTrain === undefined ? undefined : () => onTrain(),
    files: [
      {
        label: "Picture (PNG)",
        run: () => void views[0].map.png().then((png) => download(png, "map.png"), notices.error),
      },
      {
        label: "Picture (SVG)",
        run: () => download(new Blob([views[0].map.svg()], { type: "image/svg+xml" }), "map.svg"),
      },
      {
        label: "This state (JSON)",
        run: () =>
          download(new Blob([stateFile(store.state, header)], { type: "application/json" }), "explorer-state.json"),
      },
      {
        label: "Open a state or node table",
        run: () => chooseFile(".json,.csv,.tsv,.txt", (file) => void openFile(file)),
      },
      ...files.map(({ label, run }) => ({ label, run: () => void run().catch(notices.error) })),
    ],
  });
  const search = createSearchBox(tools.search, { ids: first.ids, onChoose: focus });
  const relations = createRelationList(section("Relations", left), {
    scene: first,
    on: onIds(),
    edges: store.state.edges,
    theme: theme.theme,
    onRelations: (on) => store.set({ relations: on.map((d) => relationNames[d]) }),
    onEdges: (edges) => store.set({ edges }),
  });
  const legend = createColorLegend(section("Colours", left), {
    attributes: first.attributes,
    color: store.state.color,
    hidden: store.state.hidden,
    theme: theme.theme,
    onColor: (color) => store.set({ color, hidden: [] }),
    onHidden: (hidden) => store.set({ hidden }),
  });
  const [nodeHost, predictionHost, selectionHost] = ["Node", "Likeliest missing edges", "Selection"].map((title) =>
    section(title, right),
  );

  /** The parts that read the attributes of the nodes; they are made again when a table adds some. */
  function createPanels(): void {
    for (const panel of panels) panel.dispose();
    const scene: Scene = { ...first, attributes: [...first.attributes, ...added] };
    const node = focused() < 0 ? undefined : focused();
    const common = { scene, relations: onIds(), onFocus: focus };
    const nodePanel = createNodePanel(nodeHost, {
      ...common,
      node,
      theme: theme.theme,
      canGoBack: canGo.back,
      canGoForward: canGo.forward,
      onBack: () => steps.back(),
      onForward: () => steps.forward(),
    });
    const predictions = createPredictionList(predictionHost, {
      ...common,
      node,
      relation: relationOfPredictions,
      onRelation(relation) {
        relationOfPredictions = relation;
        predictions.update({ relation });
      },
    });
    const selection = createSelectionPanel(selectionHost, {
      ...common,
      selected: selected(),
      onClear: () => store.set({ selected: [] }),
    });
    hover = createHoverCard(maps, { scene, relations: onIds(), color: store.state.color });
    panels = [nodePanel, predictions, selection, hover];
    update = (changed) => {
      const now = focused() < 0 ? undefined : focused();
      if (changed.has("relations") || changed.has("focus")) {
        nodePanel.update({ node: now, relations: onIds(), canGoBack: canGo.back, canGoForward: canGo.forward });
        predictions.update({ node: now, relations: onIds() });
      }
      if (changed.has("selected") || changed.has("relations"))
        selection.update({ selected: selected(), relations: onIds() });
      if (changed.has("color") || changed.has("relations"))
        hover?.update({ color: store.state.color, relations: onIds() });
    };
    showSteps = () => nodePanel.update({ canGoBack: canGo.back, canGoForward: canGo.forward });
  }

  let showSteps = () => {};
  const steps = connectHistory({
    store,
    initial,
    relations: relationNames,
    onSteps(can) {
      canGo = can;
      showSteps();
    },
  });
  createPanels();

  const unsubscribe = store.subscribe((state, changed) => {
    if (changed.has("map")) tools.update({ map: state.map });
    if (changed.has("relations") || changed.has("edges")) relations.update({ on: onIds(), edges: state.edges });
    if (changed.has("color") || changed.has("hidden")) legend.update({ color: state.color, hidden: state.hidden });
    update(changed);
  });
  theme.subscribe((chosen) => {
    for (const view of views) view.update({ theme: chosen });
    tools.update({ theme: chosen });
    relations.update({ theme: chosen });
    legend.update({ theme: chosen });
    createPanels();
  });

  /** A saved state, a table of node attributes, or edges to train on. */
  async function openFile(file: File): Promise<void> {
    try {
      requireFileSize(file);
      const text = await file.text();
      if (isStateFile(text) || /\.json$/i.test(file.name)) {
        const saved = readStateFile(text, file.name, header);
        // what the file leaves out has its first value again
        return store.set({ ...initial, focus: undefined, camera: undefined, ...saved });
      }
      if (onTrain !== undefined && (await isEdgeTable(text))) return onTrain(file);
      const table = await readNodeTable(text, first.ids, file.name);
      const attributes = withDistinctNames([...first.attributes, ...added, ...table.attributes]);
      added = attributes.slice(first.attributes.length);
      for (const view of views) view.update({ attributes });
      legend.update({ attributes });
      createPanels();
      store.set({ color: attributes.at(-1)?.name, hidden: [] });
      notices.say(
        `${file.name}: ${table.matched} nodes have values in it, ${table.unmatched} of its rows name no node.`,
      );
    } catch (error) {
      notices.error(error);
    }
  }
  const drops = acceptDrops((file) => {
    const isTable = /\.(json|csv|tsv|txt)$/i.test(file.name);
    if (isTable || onTrain === undefined) void openFile(file);
    else onTrain(file);
  });
  const onKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    search.focus();
  };
  addEventListener("keydown", onKey);

  return {
    dispose() {
      removeEventListener("keydown", onKey);
      unsubscribe();
      theme.dispose();
      const parts: readonly Component[] = [drops, steps, ...panels, search, relations, legend, tools, ...views];
      for (const part of parts) part.dispose();
      fill(host);
    },
  };
}

/** The first map, all relations, edges of the selection, colours by the first attribute that is no number. */
function firstState({ header }: Scene): State {
  const color = header.attributes.find(({ kind }) => kind === "category") ?? header.attributes[0];
  return {
    map: { name: header.maps[0] ?? "" },
    relations: header.relations.map(({ name }) => name),
    edges: "selection",
    color: color?.name,
    hidden: [],
    selected: [],
  };
}

/** Index of each id; built when first asked for. */
function idIndex(ids: readonly string[]): (id: string) => number {
  let places: Map<string, number> | undefined;
  return (id) => {
    places ??= new Map(ids.map((other, place) => [other, place]));
    return places.get(id) ?? -1;
  };
}
