/** The panels that describe nodes: the node in focus, its predicted edges, the selection, and the card at the pointer. */

import type { Component } from "../dom.js";
import { createHoverCard, type HoverCard } from "../panels/hover-card.js";
import { createNodePanel } from "../panels/node-panel.js";
import { createPredictionList } from "../panels/prediction-list.js";
import { createRunComparison } from "../panels/run-comparison.js";
import { createSelectionPanel } from "../panels/selection-panel.js";
import type { Scene } from "../scene/scene.js";
import type { PageHistory } from "./state/page-history.js";
import type { State, Store } from "./state/state.js";
import type { Theme } from "./theme.js";

export interface NodePanelsOptions {
  readonly store: Store;
  /** Index of a node by its id; -1 if there is none. */
  readonly indexOf: (id: string) => number;
  readonly hosts: Readonly<Record<"node" | "predictions" | "selection" | "map", HTMLElement>>;
  /** Two runs with the nodes in the same order, and where they are compared. */
  readonly compared?: { readonly runs: readonly [Scene, Scene]; readonly host: HTMLElement };
  readonly steps: () => PageHistory;
}

export interface NodePanels extends Component {
  /** The card at the pointer. */
  readonly hover: HoverCard;
  /** Makes the panels anew, such as with more attributes or other names of the nodes. */
  show(scene: Scene, theme: Theme): void;
  update(changed: ReadonlySet<keyof State>): void;
  /** Moves the keyboard to the name of the node, or to the panel if no node is chosen. */
  focusNode(): void;
  showSteps(can: { readonly back: boolean; readonly forward: boolean }): void;
}

export function createNodePanels(
  firstScene: Scene,
  firstTheme: Theme,
  { store, indexOf, hosts, compared, steps }: NodePanelsOptions,
): NodePanels {
  let canGo = { back: false, forward: false };
  let relation = 0;
  const { header } = firstScene;
  const relations = () => header.relations.flatMap(({ name }, d) => (store.state.relations.includes(name) ? [d] : []));
  const focused = () => {
    const node = store.state.focus === undefined ? -1 : indexOf(store.state.focus);
    return node < 0 ? undefined : node;
  };
  const selected = () => store.state.selected.map(indexOf).filter((node) => node >= 0);

  const make = (scene: Scene, theme: Theme) => {
    const common = {
      scene,
      relations: relations(),
      onFocus: (node: number) => store.set({ focus: scene.ids[node] }),
    };
    const node = createNodePanel(hosts.node, {
      ...common,
      node: focused(),
      theme,
      canGoBack: canGo.back,
      canGoForward: canGo.forward,
      onBack: () => steps().back(),
      onForward: () => steps().forward(),
    });
    const predictions = createPredictionList(hosts.predictions, {
      ...common,
      node: focused(),
      relation,
      onRelation(chosen) {
        relation = chosen;
        predictions.update({ relation });
      },
    });
    const selection = createSelectionPanel(hosts.selection, {
      ...common,
      selected: selected(),
      onClear: () => store.set({ selected: [] }),
    });
    const hover = createHoverCard(hosts.map, { scene, relations: relations(), color: store.state.color });
    const comparison =
      compared &&
      createRunComparison(compared.host, {
        runs: compared.runs,
        scene,
        run: store.state.run ?? 0,
        node: focused(),
        selected: selected(),
        onRun: (run) => store.set({ run }),
        onFocus: common.onFocus,
      });
    return { node, predictions, selection, hover, comparison };
  };
  let panels = make(firstScene, firstTheme);
  const dispose = () => {
    for (const panel of Object.values(panels)) panel?.dispose();
  };

  const focusNode = () => {
    const title = hosts.node.querySelector<HTMLElement>(".node-panel-title");
    const target = title === null || title.textContent === "" ? hosts.node : title;
    target.tabIndex = -1;
    target.focus();
  };
  /** Changes panels. If that removes the button that the keyboard is on, the keyboard goes to the node, not to the top of the page. */
  const keepKeyboard = (change: () => void) => {
    const places = [hosts.node, hosts.predictions, compared?.host];
    const wasInside = places.some((place) => place?.contains(document.activeElement));
    change();
    if (wasInside && document.activeElement === document.body) focusNode();
  };

  return {
    focusNode,
    get hover() {
      return panels.hover;
    },
    show(scene, theme) {
      keepKeyboard(() => {
        dispose();
        panels = make(scene, theme);
      });
    },
    update(changed) {
      const { node, predictions, selection, hover, comparison } = panels;
      const on = relations();
      if (changed.has("relations") || changed.has("focus")) {
        keepKeyboard(() => {
          node.update({ node: focused(), relations: on, canGoBack: canGo.back, canGoForward: canGo.forward });
          predictions.update({ node: focused(), relations: on });
        });
      }
      if (changed.has("selected") || changed.has("relations"))
        selection.update({ selected: selected(), relations: on });
      if (changed.has("focus") || changed.has("selected"))
        keepKeyboard(() => comparison?.update({ node: focused(), selected: selected() }));
      if (changed.has("color") || changed.has("relations")) hover.update({ color: store.state.color, relations: on });
    },
    showSteps(can) {
      canGo = can;
      panels.node.update({ canGoBack: can.back, canGoForward: can.forward });
    },
    dispose,
  };
}
