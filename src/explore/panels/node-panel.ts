/** One node: its label and degrees, and its neighbours by vector and by edges side by side, each with the reason. */

import { button, type Component, element, fill } from "../dom.js";
import { type EdgeLink, type EdgeNeighbor, edgeNeighbors, neighborOrder } from "../questions/edge-neighbors.js";
import {
  type CenteredVectors,
  centeredVectors,
  facetParts,
  type NearNode,
  nearestNodes,
} from "../questions/nearest.js";
import { countText, labelOf, numberText, valueText } from "../questions/node-facts.js";
import { nodeName } from "../questions/node-names.js";
import { cssColor, relationColor, type Theme } from "../questions/palette.js";
import { reasons } from "../questions/reasons.js";
import { degree, degreeText, loadRelations, type RelationRows } from "../questions/relation-rows.js";
import type { Scene } from "../scene/scene.js";
import { facetBar, facetLegend } from "./facet-bar.js";
import { dataText, errorLine, Latest, missingLine, nodeButton, sameNumbers, swatch } from "./marks.js";

export interface NodePanelState {
  /** The node described; undefined: none is chosen. */
  readonly node?: number;
  /** Indices of the relations that are on. */
  readonly relations: readonly number[];
  readonly theme: Theme;
  /** Whether there is a node to go back or forward to. */
  readonly canGoBack?: boolean;
  readonly canGoForward?: boolean;
}

export interface NodePanelOptions extends NodePanelState {
  readonly scene: Scene;
  readonly onFocus: (node: number) => void;
  readonly onBack: () => void;
  readonly onForward: () => void;
}

export interface NodePanel extends Component {
  update(changes: Partial<NodePanelState>): void;
}

/** Degrees listed; of more relations only those that link the node. */
const MAX_DEGREES = 50;
/** Neighbours listed at first, and added by "Show more". */
const LISTED = 10;

export function createNodePanel(host: HTMLElement, options: NodePanelOptions): NodePanel {
  const { scene, onFocus } = options;
  let state: NodePanelState = options;
  const latest = new Latest();

  const back = button("←", options.onBack, { "aria-label": "Back to the previous node", title: "Back" });
  const forward = button("→", options.onForward, { "aria-label": "Forward to the next node", title: "Forward" });
  const title = element("h3", { class: "node-panel-title" });
  const facts = element("div", { class: "node-panel-facts" });
  const byVector = element("div", { class: "node-panel-list" });
  const byEdges = element("div", { class: "node-panel-list" });
  const lists = element(
    "div",
    { class: "node-panel-lists" },
    element("section", { "aria-label": "Nearest by vector" }, element("h4", {}, "Nearest by vector"), byVector),
    element("section", { "aria-label": "Neighbours by edges" }, element("h4", {}, "Neighbours by edges"), byEdges),
  );
  const head = element("div", { class: "node-panel-head" }, back, forward, title);
  fill(host, element("div", { class: "node-panel" }, head, facts, lists));

  const showVectors = async (node: number, rows: Promise<RelationRows[]>, wanted: () => boolean) => {
    fill(byVector, missingLine("Comparing vectors …"));
    try {
      const centered = await centeredVectors(scene);
      // without edges the reasons name only shared categories
      const on = await rows.catch(() => []);
      const near = await nearestNodes(centered, node, LISTED);
      if (wanted()) fill(byVector, vectorList(scene, centered, on, node, near, state.theme, onFocus));
    } catch (error) {
      if (wanted()) fill(byVector, errorLine(error));
    }
  };

  const showEdges = async (node: number, rows: Promise<RelationRows[]>, wanted: () => boolean) => {
    fill(byEdges, missingLine("Looking up edges …"));
    try {
      const on = await rows;
      if (!wanted()) return;
      fill(facts, ...factsOf(scene, on, node, state.theme));
      if (scene.header.relations.length === 0) fill(byEdges, missingLine("This scene has no relations."));
      else if (on.length === 0) fill(byEdges, missingLine("All relations are off. Switch one on to see neighbours."));
      else fill(byEdges, edgeList(scene, on, node, state.theme, onFocus));
    } catch (error) {
      if (wanted()) fill(byEdges, errorLine(error));
    }
  };

  const show = () => {
    const wanted = latest.begin();
    const { node } = state;
    showHistory();
    lists.hidden = node === undefined;
    if (node === undefined) {
      fill(title);
      const none =
        scene.ids.length === 0
          ? "The graph has no nodes."
          : "Choose a node: click it on the map or find it by the search.";
      return fill(facts, missingLine(none));
    }
    fill(title, dataText(nodeName(scene, node)));
    fill(facts, ...factsOf(scene, [], node, state.theme));
    const rows = loadRelations(scene, state.relations);
    void showVectors(node, rows, wanted);
    void showEdges(node, rows, wanted);
  };
  const showHistory = () => {
    back.disabled = state.canGoBack !== true;
    forward.disabled = state.canGoForward !== true;
  };
  show();

  return {
    update(changes) {
      const before = state;
      state = { ...state, ...changes };
      const sameNode = state.node === before.node && state.theme === before.theme;
      if (sameNode && sameNumbers(state.relations, before.relations)) showHistory();
      else show();
    },
    dispose() {
      latest.begin();
      fill(host);
    },
  };
}

/** Attributes listed in the panel. */
const MAX_ATTRIBUTES = 12;

/** Label, degrees and other attributes. */
function factsOf(scene: Scene, on: readonly RelationRows[], node: number, theme: Theme): HTMLElement[] {
  const label = labelOf(scene, node);
  const lines: HTMLElement[] = [];
  if (nodeName(scene, node) !== scene.ids[node]) lines.push(element("p", {}, "Id: ", dataText(scene.ids[node])));
  if (label !== undefined && label !== nodeName(scene, node)) lines.push(element("p", {}, "Label: ", dataText(label)));
  if (on.length > 0) {
    const linked = on.length > MAX_DEGREES ? on.filter(({ adjacency }) => degree(adjacency, node) > 0) : on;
    const degrees = linked
      .slice(0, MAX_DEGREES)
      .map(({ relation, name, adjacency }) =>
        element("li", {}, swatch(relationColor(relation, theme)), dataText(name), ` ${degreeText(adjacency, node)}`),
      );
    lines.push(element("ul", { class: "node-panel-degrees", "aria-label": "Neighbours per relation" }, ...degrees));
  }
  const others = scene.attributes.filter(
    (attribute) => attribute !== scene.names && attribute.name !== "label" && attribute.name !== "degree",
  );
  const values = others.slice(0, MAX_ATTRIBUTES).flatMap((attribute) => {
    const text = valueText(attribute, node);
    return text === undefined || text === label
      ? []
      : [element("dt", { title: attribute.doc }, dataText(attribute.name)), element("dd", {}, dataText(text))];
  });
  if (values.length > 0) lines.push(element("dl", { class: "node-panel-attributes" }, ...values));
  return lines;
}

function vectorList(
  scene: Scene,
  centered: CenteredVectors,
  on: readonly RelationRows[],
  node: number,
  near: readonly NearNode[],
  theme: Theme,
  onFocus: (node: number) => void,
): HTMLElement {
  if (near.length === 0) {
    const reason =
      scene.ids.length < 2
        ? "There is no other node."
        : "This node's vector is the mean of all vectors: no node is nearest.";
    return missingLine(reason);
  }
  const items = near.map(({ node: other, cosine }) => {
    const why = reasons(scene, on, node, other).map((reason) => element("li", {}, element("bdi", {}, reason)));
    const none = element("li", { class: "muted" }, "nothing in common in the relations that are on");
    return element(
      "li",
      {},
      element(
        "div",
        { class: "node-panel-row" },
        nodeButton(scene, other, onFocus),
        number("cosine", cosine.toFixed(3)),
      ),
      facetBar(facetParts(centered, scene.header.facets, node, other), theme),
      element("ul", { class: "node-panel-why", "aria-label": "Why" }, ...(why.length > 0 ? why : [none])),
    );
  });
  const { facets } = scene.header;
  const named = facetParts(centered, facets, node, node).map(({ name }, place) => ({ name, doc: facets[place]?.doc }));
  const legend = facets.length > 0 ? facetLegend(named, theme) : undefined;
  return element("div", {}, legend, element("ol", { class: "node-panel-items" }, ...items));
}

function edgeList(
  scene: Scene,
  on: readonly RelationRows[],
  of: number,
  theme: Theme,
  onFocus: (node: number) => void,
): HTMLElement {
  const neighbors = edgeNeighbors(scene, on, of);
  if (neighbors.length === 0) return missingLine("This node has no edges in the relations that are on.");
  const list = element("ol", { class: "node-panel-items" });
  const weighted = scene.header.relations.some((relation) => relation.weighted);
  const item = ({ node, links, weight }: EdgeNeighbor) => {
    const chips = links.map((link) => {
      const name = scene.header.relations[link.relation].name;
      const chip = element(
        "li",
        { class: "node-panel-chip", title: `weight ${numberText(link.weight)}` },
        ...directionMark(link.direction),
        dataText(name),
      );
      chip.style.setProperty("--color", cssColor(relationColor(link.relation, theme)));
      return chip;
    });
    return element(
      "li",
      {},
      element(
        "div",
        { class: "node-panel-row" },
        nodeButton(scene, node, onFocus),
        weighted ? number("weight", numberText(weight)) : undefined,
      ),
      element("ul", { class: "node-panel-chips", "aria-label": "Relations" }, ...chips),
    );
  };
  const more = button("", () => grow(), { class: "node-panel-more" });
  const count = element("p", { class: "muted" });
  const grow = () => {
    const start = list.childElementCount;
    list.append(...neighbors.slice(start, start + LISTED).map(item));
    const left = neighbors.length - list.childElementCount;
    const shown = left > 0 ? `${list.childElementCount} of ` : "";
    count.textContent = `${shown}${countText(neighbors.length, "neighbour")}, ${neighborOrder(on)}`;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(left, LISTED)} more`;
  };
  grow();
  return element("div", {}, count, list, more);
}

/** The sign of each direction, and what it means for screen readers. */
const DIRECTIONS = { to: ["→", "edge to it"], from: ["←", "edge from it"], both: ["↔", "edges both ways"] } as const;

/** An arrow before the name of a relation: edges lead to the neighbour, from it, or both ways. */
function directionMark(direction: EdgeLink["direction"]): HTMLElement[] {
  if (direction === undefined) return [];
  const [sign, words] = DIRECTIONS[direction];
  return [
    element("span", { "aria-hidden": "true", title: words }, `${sign} `),
    element("span", { class: "visually-hidden" }, `${words}: `),
  ];
}

function number(name: string, text: string): HTMLElement {
  return element("span", { class: "node-panel-number" }, element("span", { class: "muted" }, `${name} `), text);
}
