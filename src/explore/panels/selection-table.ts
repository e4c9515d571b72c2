/** A sortable table of nodes with their attributes. Only the rows in view are in the page. */

import { button, element, fill } from "../dom.js";
import { numberText, shownText, valueText } from "../questions/node-facts.js";
import type { Scene } from "../scene/scene.js";
import { dataText, idButton } from "./marks.js";

/** Height of a row in pixels; the style sheet has the same. */
const ROW_HEIGHT = 28;
/** Rows drawn above and below the view. */
const MARGIN = 10;
/** The most rows in the page at once. */
const MAX_ROWS = 200;
/** Rows that can be scrolled to: browsers limit the height of an element (Firefox to 17.8 million pixels). */
export const MAX_SCROLLED = 500_000;

/** Column 0 is the id, the others are the attributes in their order. */
export interface SortOrder {
  readonly column: number;
  readonly descending: boolean;
}

/** The nodes in the order of a column; nodes without a value come last. */
export function sortNodes(scene: Scene, nodes: readonly number[], { column, descending }: SortOrder): Uint32Array {
  const sign = descending ? -1 : 1;
  const sorted = Uint32Array.from(nodes);
  const { ids } = scene;
  if (column === 0) {
    return sorted.sort((a, b) => sign * (ids[a] < ids[b] ? -1 : ids[a] > ids[b] ? 1 : a - b));
  }
  const attribute = scene.attributes[column - 1];
  let keys: ArrayLike<number>;
  if (attribute.kind === "number") keys = attribute.values;
  else {
    const names = new Intl.Collator("en", { numeric: true });
    const order = attribute.categories.map((_, code) => code);
    order.sort((a, b) => names.compare(attribute.categories[a], attribute.categories[b]));
    const rank = new Int32Array(order.length);
    for (const [place, code] of order.entries()) rank[code] = place;
    keys = Float32Array.from(attribute.codes, (code) => (code < 0 ? Number.NaN : rank[code]));
  }
  return sorted.sort((a, b) => {
    const [x, y] = [keys[a], keys[b]];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
}

/** In the order of the selection until a column is chosen. */
export interface SelectionTable {
  readonly root: HTMLElement;
  /** The nodes in the order of the rows. */
  readonly sorted: Uint32Array;
  show(nodes: readonly number[]): void;
}

export function selectionTable(scene: Scene, onFocus: (node: number) => void): SelectionTable {
  let order: SortOrder | undefined;
  let nodes: readonly number[] = [];
  let sorted: Uint32Array = new Uint32Array();
  const columns = [{ name: "id", doc: undefined }, ...scene.attributes];
  const heads = columns.map(({ name, doc }, column) => {
    const sort = button(
      shownText(name),
      () => {
        order = { column, descending: order?.column === column && !order.descending };
        sortRows();
      },
      { title: doc },
    );
    return element("th", { scope: "col" }, sort);
  });
  const body = element("tbody");
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body);
  const root = element(
    "div",
    { class: "selection-table", tabindex: 0, role: "region", "aria-label": "Selected nodes" },
    table,
  );
  let first = -1;
  let last = -1;

  const drawRows = () => {
    const shown = Math.min(sorted.length, MAX_SCROLLED);
    const from = Math.max(0, Math.min(Math.floor(root.scrollTop / ROW_HEIGHT), shown) - MARGIN);
    const to = Math.min(shown, from + Math.min(MAX_ROWS, Math.ceil(root.clientHeight / ROW_HEIGHT) + 2 * MARGIN));
    if (from === first && to === last) return;
    [first, last] = [from, to];
    const rows: HTMLElement[] = [spacer(from)];
    for (let i = from; i < to; i++) rows.push(rowOf(scene, sorted[i], i, onFocus));
    rows.push(spacer(shown - to));
    fill(body, ...rows);
  };
  const sortRows = () => {
    sorted = order === undefined ? Uint32Array.from(nodes) : sortNodes(scene, nodes, order);
    for (const [column, head] of heads.entries()) {
      if (column !== order?.column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
    }
    table.setAttribute("aria-rowcount", String(sorted.length + 1));
    first = last = -1;
    root.scrollTop = 0;
    drawRows();
  };
  root.addEventListener("scroll", drawRows);

  return {
    root,
    get sorted() {
      return sorted;
    },
    show(chosen) {
      nodes = chosen;
      sortRows();
    },
  };
}

function spacer(rows: number): HTMLElement {
  const row = element("tr", { "aria-hidden": "true" }, element("td"));
  row.style.height = `${rows * ROW_HEIGHT}px`;
  row.hidden = rows === 0;
  return row;
}

function rowOf(scene: Scene, node: number, place: number, onFocus: (node: number) => void): HTMLElement {
  const cells = scene.attributes.map((attribute) => {
    const text = attribute.kind === "number" ? numberText(attribute.values[node]) : (valueText(attribute, node) ?? "–");
    return element("td", { class: attribute.kind === "number" ? "selection-table-number" : undefined }, dataText(text));
  });
  return element("tr", { "aria-rowindex": place + 2 }, element("td", {}, idButton(scene, node, onFocus)), ...cells);
}
