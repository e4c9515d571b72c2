/** A small card next to the pointer that names the node under it. */

import { type Component, element, fill } from "../dom.js";
import { countText, labelOf, valueText } from "../questions/node-facts.js";
import { nodeName } from "../questions/node-names.js";
import { degree, loadRelations, type RelationRows } from "../questions/relation-rows.js";
import type { Scene } from "../scene/scene.js";
import { dataText, Latest, sameNumbers } from "./marks.js";

export interface HoverCardState {
  /** Name of the colouring attribute. */
  readonly color?: string;
  /** Indices of the relations that are on. */
  readonly relations: readonly number[];
}

export interface HoverCardOptions extends HoverCardState {
  readonly scene: Scene;
}

export interface HoverCard extends Component {
  /** Shows a node at a place in pixels of the host. */
  show(node: number, x: number, y: number): void;
  hide(): void;
  update(changes: Partial<HoverCardState>): void;
}

/** Pixels between pointer and card. */
const DISTANCE = 12;

/** The host must be positioned (relative or absolute); the card is placed inside it and never leaves it. */
export function createHoverCard(host: HTMLElement, options: HoverCardOptions): HoverCard {
  const { scene } = options;
  let state: HoverCardState = options;
  let rows: readonly RelationRows[] | undefined;
  let shown: number | undefined;
  let at = { x: 0, y: 0 };
  const latest = new Latest();
  const card = element("div", { class: "hover-card", role: "tooltip", hidden: true });
  host.append(card);

  const load = async () => {
    const wanted = latest.begin();
    rows = undefined;
    try {
      const loaded = await loadRelations(scene, state.relations);
      if (!wanted()) return;
      rows = loaded;
      rewrite();
    } catch {
      // the card does without degrees; the panel of the node says why there are no edges
    }
  };

  const write = (node: number) => {
    const attribute = scene.attributes.find(({ name }) => name === state.color);
    const label = labelOf(scene, node);
    const lines: HTMLElement[] = [element("strong", {}, dataText(nodeName(scene, node)))];
    if (nodeName(scene, node) !== scene.ids[node]) lines.push(element("span", {}, "id: ", dataText(scene.ids[node])));
    if (label !== undefined && label !== nodeName(scene, node))
      lines.push(element("span", {}, "label: ", dataText(label)));
    if (attribute !== undefined && attribute !== scene.names && !/^labels?$/i.test(attribute.name)) {
      lines.push(
        element("span", {}, dataText(attribute.name), ": ", dataText(valueText(attribute, node) ?? "no value")),
      );
    }
    if (rows !== undefined && rows.length > 0) {
      const total = rows.reduce((sum, { adjacency }) => sum + degree(adjacency, node), 0);
      lines.push(element("span", { class: "muted" }, countText(total, "edge")));
    }
    fill(card, ...lines);
  };
  const place = () => {
    const fits = (start: number, size: number, room: number) =>
      Math.max(0, start + DISTANCE + size <= room ? start + DISTANCE : start - DISTANCE - size);
    card.style.left = `${fits(at.x, card.offsetWidth, host.clientWidth)}px`;
    card.style.top = `${fits(at.y, card.offsetHeight, host.clientHeight)}px`;
  };
  const rewrite = () => {
    if (shown === undefined) return;
    write(shown);
    place();
  };
  void load();

  return {
    show(node, x, y) {
      if (shown !== node) write(node);
      shown = node;
      card.hidden = false;
      at = { x, y };
      place();
    },
    hide() {
      shown = undefined;
      card.hidden = true;
    },
    update(changes) {
      const before = state;
      state = { ...state, ...changes };
      if (!sameNumbers(state.relations, before.relations)) void load();
      rewrite();
    },
    dispose() {
      latest.begin();
      card.remove();
    },
  };
}
