/** The whole page of one run, or of two runs of one graph side by side. */

import { type Component, element, fill } from "../dom.js";
import { createColorLegend } from "../panels/color-legend.js";
import { createLabelChooser } from "../panels/label-chooser.js";
import { createRelationList } from "../panels/relation-list.js";
import { createSearchBox } from "../panels/search-box.js";
import { defaultNames, textColumns } from "../questions/node-names.js";
import { isEdgeTable, readNodeTable, tableText } from "../questions/tables/node-table.js";
import { withDistinctNames } from "../scene/distinct-names.js";
import type { Attribute, Scene } from "../scene/scene.js";
import { alignScene, idIndex, withVectorsOf } from "./aligned-scene.js";
import { acceptDrops, chooseFile, requireFileSize } from "./files/page-files.js";
import { saveEntries } from "./files/save-entries.js";
import type { Visit } from "./files/saved-page.js";
import { createNodePanels } from "./node-panels.js";
import { createNotices } from "./notices.js";
import { createSceneView, type SceneView, widestColumns } from "./scene-view.js";
import { createSection, grayNote, LINK_NOTE, placeByWidth } from "./sections.js";
import { createSelectionNote, createSkipLinks } from "./shortcuts.js";
import { defaultColor, firstState } from "./state/first-state.js";
import { connectHistory } from "./state/page-history.js";
import { edgeChoice, type State, Store } from "./state/state.js";
import { isStateFile, readStateFile } from "./state/state-file.js";
import { readStateLink, stateLink } from "./state/state-link.js";
import { ThemeChoice } from "./theme.js";
import { createToolBar } from "./tool-bar.js";

export interface ExplorerOptions {
  /** One run, or two of one graph. */
  readonly scenes: readonly [Scene, Scene?];
  /** Opens the training page, with a file if one was dropped; undefined where the page cannot train. */
  readonly onTrain?: (file?: File) => void;
  /** Further entries of the menu "Save and open". */
  readonly files?: readonly { readonly label: string; readonly run: (visit: Visit) => Promise<void> }[];
  /** The state that the page was saved with. */
  readonly saved?: Partial<State> | undefined;
}

export function createExplorer(
  host: HTMLElement,
  { scenes: [first, other], onTrain, files = [], saved = {} }: ExplorerOptions,
): Component {
  const { header } = first;
  const relationNames = header.relations.map(({ name }) => name);
  const initial: State = { ...firstState(first), ...saved };
  const store = new Store({ ...initial, ...readStateLink(location.hash) });
  const theme = new ThemeChoice();
  const indexOf = idIndex(first.ids);
  const second = other === undefined ? undefined : alignScene(other, first.ids);
  const shown = second === undefined ? [first] : [first, second];
  let added: readonly Attribute[] = [];
  /** The first run with the vectors of the chosen one, the attributes of dropped tables and the chosen names. */
  const scene = (): Scene => {
    const attributes = [...first.attributes, ...added];
    const run = shown[store.state.run ?? 0] ?? first;
    return {
      ...withVectorsOf(first, run),
      attributes,
      names: textColumns(attributes).find(({ name }) => name === store.state.labels),
    };
  };

  const visit = (): Visit => ({ added, link: stateLink(store.state, relationNames).text });

  const bar = element("header", { class: "app-bar" });
  const left = element("aside", { class: "app-left", "aria-label": "Relations and colours" });
  const maps = element("main", { class: "app-maps", "aria-label": "Map" });
  const right = element("aside", { class: "app-right", "aria-label": "Node and selection" });
  const foot = element("footer", { class: "app-foot" });
  const skip = createSkipLinks({
    "To the map": () => maps.querySelector("canvas")?.focus(),
    "To the node": () => {
      nodeSection.root.open = true;
      panels.focusNode();
    },
  });
  fill(host, element("div", { class: "app" }, skip, bar, left, maps, right, foot));
  const notices = createNotices(foot, other === undefined ? [header] : [header, other.header]);

  const onIds = () => header.relations.flatMap(({ name }, d) => (store.state.relations.includes(name) ? [d] : []));
  const focus = (node: number) => store.set({ focus: first.ids[node] });
  const [nodeSection, relationSection, colorSection, selectionSection] = [
    ...["Node", "Relations", "Labels and colours", "Selection"],
  ].map((title) => createSection(title));
  const predictionSection = createSection("Likeliest missing edges", { isOptional: true });
  const runSection = createSection("Two runs");
  const linkNote = element("p", { class: "app-link-note muted", role: "status" });

  const views: SceneView[] = shown.map((run, k) =>
    createSceneView(maps, {
      scene: run,
      edgesOf: first,
      store,
      indexOf,
      theme: theme.theme,
      attributes: first.attributes,
      names: scene().names,
      isFirst: k === 0,
      onHover(node, x, y) {
        const { left: across, top } = maps.getBoundingClientRect();
        if (node < 0) panels.hover.hide();
        else panels.hover.show(node, x - across, y - top);
      },
      onDrawn: k === 0 ? (drawn) => relations.update({ drawn }) : undefined,
      onError: notices.error,
    }),
  );
  if (shown.length > 1) {
    shown.forEach((run, k) => {
      maps.children[k].append(element("p", { class: "app-map-name" }, run.header.title));
    });
  }

  const tools = createToolBar(bar, {
    header,
    map: store.state.map,
    theme: theme.theme,
    onMap: (map) => store.set({ map, camera: undefined }),
    onColumns: () =>
      void widestColumns(first).then((columns) => store.set({ map: { columns }, camera: undefined }), notices.error),
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
      ...saveEntries({
        map: views[0].map,
        legend: () => views[0].legend(),
        state: () => store.state,
        header,
        onError: notices.error,
      }),
      {
        label: "Open a state or node table",
        run: () => chooseFile(".json,.csv,.tsv,.txt,.jsonl,.ndjson,.parquet,.gz", (file) => void openFile(file)),
      },
      ...files.map(({ label, run }) => ({ label, run: () => void run(visit()).catch(notices.error) })),
    ],
  });
  const search = createSearchBox(tools.search, { nodes: scene(), onChoose: focus });
  const relations = createRelationList(relationSection.content, {
    scene: first,
    on: onIds(),
    edges: edgeChoice(store.state),
    theme: theme.theme,
    onRelations: (on) => store.set({ relations: on.map((d) => relationNames[d]) }),
    onEdges: (edges) => store.set({ edges }),
  });
  const colorNote = grayNote(header.relations.length);
  if (colorNote !== undefined) relationSection.content.append(element("p", { class: "muted" }, colorNote));
  const [labelHost, legendHost] = [element("div"), element("div")];
  fill(colorSection.content, labelHost, legendHost);
  const labels = createLabelChooser(labelHost, {
    attributes: first.attributes,
    labels: scene().names?.name,
    onLabels: (name) => store.set({ labels: name }),
  });
  const legend = createColorLegend(legendHost, {
    attributes: first.attributes,
    color: store.state.color,
    hidden: store.state.hidden,
    theme: theme.theme,
    onColor: (color) => store.set({ color, hidden: [] }),
    onHidden: (hidden) => store.set({ hidden }),
  });
  const ofRuns = second === undefined ? [] : [runSection];
  const sections = [...ofRuns, nodeSection, predictionSection, relationSection, colorSection, selectionSection];
  const roots = (list: typeof sections) => list.map(({ root }) => root);
  const layout = placeByWidth(right, [tools.search, ...roots(sections)], () => {
    tools.placeSearch();
    left.append(...roots([relationSection, colorSection]));
    right.append(...roots([...ofRuns, nodeSection, predictionSection, selectionSection]));
  });
  const selectionHost = element("div");
  const selectionNote = createSelectionNote(selectionSection.root);
  selectionNote.update(store.state.selected.length);
  maps.append(selectionNote.root);
  selectionSection.content.append(linkNote, selectionHost);

  const panels = createNodePanels(scene(), theme.theme, {
    store,
    indexOf,
    ...(second === undefined ? {} : { compared: { runs: [first, second], host: runSection.content } }),
    hosts: {
      node: nodeSection.content,
      predictions: predictionSection.content,
      selection: selectionHost,
      map: maps,
    },
    steps: () => steps,
  });
  const steps = connectHistory({
    store,
    initial,
    relations: relationNames,
    onSteps: panels.showSteps,
    onLink(isSelectionLeftOut) {
      linkNote.textContent = isSelectionLeftOut ? LINK_NOTE : "";
    },
  });
  /** The nodes have more attributes or other names. */
  const showNodes = () => {
    const { attributes, names } = scene();
    for (const view of views) view.update({ attributes, names });
    legend.update({ attributes });
    labels.update({ attributes, labels: names?.name });
    search.update(scene());
    panels.show(scene(), theme.theme);
  };

  const unsubscribe = store.subscribe((state, changed) => {
    if (changed.has("selected")) selectionNote.update(state.selected.length);
    if (changed.has("map")) tools.update({ map: state.map });
    if (changed.has("relations") || changed.has("edges") || changed.has("selected"))
      relations.update({ on: onIds(), edges: edgeChoice(state) });
    if (changed.has("color") || changed.has("hidden")) legend.update({ color: state.color, hidden: state.hidden });
    if (changed.has("labels") || changed.has("run")) showNodes();
    else panels.update(changed);
  });
  theme.subscribe((chosen) => {
    for (const view of views) view.update({ theme: chosen });
    tools.update({ theme: chosen });
    relations.update({ theme: chosen });
    legend.update({ theme: chosen });
    panels.show(scene(), chosen);
  });

  /** A saved state, a table of node attributes, or edges to train on. */
  async function openFile(file: File): Promise<void> {
    try {
      requireFileSize(file);
      if (/\.json$/i.test(file.name) || isStateFile(await file.slice(0, 200).text())) {
        const saved = readStateFile(await file.text(), file.name, header);
        // what the file leaves out has its first value again
        return store.set({ ...initial, focus: undefined, camera: undefined, ...saved });
      }
      if (onTrain !== undefined && (await isEdgeTable(file))) return onTrain(file);
      const table = await readNodeTable(file, first.ids);
      const attributes = withDistinctNames([...first.attributes, ...added, ...table.attributes]);
      added = attributes.slice(first.attributes.length);
      showNodes();
      const color = defaultColor(added.slice(-table.attributes.length))?.name;
      store.set({ color, labels: store.state.labels ?? defaultNames(added)?.name, hidden: [] });
      notices.say(tableText(file.name, table));
    } catch (error) {
      notices.error(error);
    }
  }
  const drops = acceptDrops((file) => {
    const isTable = /\.(json|csv|tsv|txt|jsonl|ndjson|parquet)(\.gz)?$/i.test(file.name);
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
      const parts: readonly Component[] = [
        layout,
        drops,
        steps,
        panels,
        search,
        relations,
        labels,
        legend,
        tools,
        ...views,
      ];
      for (const part of parts) part.dispose();
      fill(host);
    },
  };
}
