/** Every panel of the explorer on one page, wired to a small state. `show` mounts the panels anew with another scene and theme. */

import { element } from "../../src/explore/dom.js";
import { createColorLegend } from "../../src/explore/panels/color-legend.js";
import { createHoverCard } from "../../src/explore/panels/hover-card.js";
import { createNodePanel } from "../../src/explore/panels/node-panel.js";
import { createPredictionList } from "../../src/explore/panels/prediction-list.js";
import { createRelationList, type EdgeChoice } from "../../src/explore/panels/relation-list.js";
import { createSearchBox } from "../../src/explore/panels/search-box.js";
import { createSelectionPanel } from "../../src/explore/panels/selection-panel.js";
import { drawnEdges } from "../../src/explore/questions/drawn-edges.js";
import type { Theme } from "../../src/explore/questions/palette.js";
import { loadRelations } from "../../src/explore/questions/relation-rows.js";
import { SCENES } from "./scenes.js";

declare global {
  interface Window {
    attacked?: number;
    show(scene: string, theme: Theme): void;
    select(nodes: number[]): void;
    focusNode(node: number): void;
    hover(node: number, x: number, y: number): void;
    /** Removes all panels; returns how many elements they left in their hosts. */
    dispose(): number;
  }
}

window.dispose = () => 0;
window.show = (sceneName, theme) => {
  window.dispose();
  document.documentElement.dataset.theme = theme;
  const scene = SCENES[sceneName]();

  const columns = element("div", { class: "columns" });
  document.body.replaceChildren(columns);
  const section = (id: string, title: string, wide = false) => {
    const host = element("div", { id });
    columns.append(element("section", { class: wide ? "wide" : undefined }, element("h2", {}, title), host));
    return host;
  };

  const past: number[] = [];
  const future: number[] = [];
  let node: number | undefined;
  let on = scene.header.relations.map((_, relation) => relation);
  let edges: EdgeChoice = "selection";
  let selected: number[] = [];

  const focus = (next: number, remember = true) => {
    if (remember && node !== undefined) past.push(node);
    if (remember) future.length = 0;
    node = next;
    nodePanel.update({ node, canGoBack: past.length > 0, canGoForward: future.length > 0 });
    predictions.update({ node });
  };
  const move = (from: number[], to: number[]) => {
    to.push(node!);
    focus(from.pop()!, false);
  };
  const draw = async () => {
    const nodes = edges === "all" ? undefined : edges === "none" ? [] : selected;
    const rows = await loadRelations(scene, on).catch(() => []);
    const { ends, leftOut } = drawnEdges(rows, { nodes, theme, max: 500 });
    relations.update({ on, edges, drawn: { count: ends.length / 2, leftOut } });
  };

  const search = createSearchBox(section("search", "Search"), { nodes: scene, onChoose: (found) => focus(found) });
  const relations = createRelationList(section("relations", "Relations"), {
    scene,
    on,
    edges,
    theme,
    onRelations(next) {
      on = next;
      nodePanel.update({ relations: on });
      selection.update({ selected: [...selected], relations: on });
      hover.update({ relations: on });
      void draw();
    },
    onEdges(next) {
      edges = next;
      void draw();
    },
  });
  const legend = createColorLegend(section("legend", "Colour"), {
    attributes: scene.attributes,
    hidden: [],
    theme,
    onColor(color) {
      legend.update({ color, hidden: [] });
      hover.update({ color });
    },
    onHidden: (hidden) => legend.update({ hidden }),
  });
  const nodePanel = createNodePanel(section("node", "Node", true), {
    scene,
    relations: on,
    theme,
    onFocus: (next) => focus(next),
    onBack: () => move(past, future),
    onForward: () => move(future, past),
  });
  const predictions = createPredictionList(section("predictions", "Predictions"), {
    scene,
    relation: 0,
    relations: on,
    onFocus: (next) => focus(next),
    onRelation: (relation) => predictions.update({ relation }),
  });
  const selection = createSelectionPanel(section("selection", "Selection"), {
    scene,
    selected,
    relations: on,
    onFocus: (next) => focus(next),
    onClear: () => window.select([]),
  });
  const hover = createHoverCard(section("map", "Hover card"), { scene, relations: on });

  window.select = (nodes) => {
    selected = nodes;
    selection.update({ selected });
    void draw();
  };
  window.focusNode = focus;
  window.hover = (over, x, y) => hover.show(over, x, y);
  window.dispose = () => {
    for (const part of [search, relations, legend, nodePanel, predictions, selection, hover]) part.dispose();
    return document.querySelectorAll("section > div > *").length;
  };
};
window.show("town", "light");
