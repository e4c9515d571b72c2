/** The selected nodes: how many, what they have in common, a table of them, and its export as CSV. */

import { button, type Component, element, fill } from "../dom.js";
import { download } from "../download.js";
import { countText, numberText, percentText, perHundredText } from "../questions/node-facts.js";
import { loadRelations } from "../questions/relation-rows.js";
import {
  type CategoryShare,
  categoryShares,
  countTested,
  isSignificant,
  MAX_CHANCE,
  meanValues,
  nodeMask,
  type RelationDensity,
  relationDensities,
  testedAttributes,
} from "../questions/selection/selection-summary.js";
import { type CsvCell, csvText } from "../questions/tables/csv.js";
import type { Scene } from "../scene/scene.js";
import { dataText, errorLine, Latest, missingLine, sameNumbers } from "./marks.js";
import { MAX_SCROLLED, selectionTable } from "./selection-table.js";

export interface SelectionPanelState {
  readonly selected: readonly number[];
  /** Indices of the relations that are on. */
  readonly relations: readonly number[];
}

export interface SelectionPanelOptions extends SelectionPanelState {
  readonly scene: Scene;
  readonly onFocus: (node: number) => void;
  readonly onClear: () => void;
}

export interface SelectionPanel extends Component {
  update(changes: Partial<SelectionPanelState>): void;
}

/** Categories listed: those with the largest surplus inside the selection. */
const LISTED_CATEGORIES = 8;
/** Categories listed of each attribute that was computed from the vectors. */
const LISTED_FROM_VECTORS = 3;
/** Relations listed. */
const LISTED_RELATIONS = 8;
/** Rows turned into text at once. */
const CSV_SLICE = 10_000;

export function createSelectionPanel(host: HTMLElement, options: SelectionPanelOptions): SelectionPanel {
  const { scene, onFocus, onClear } = options;
  let state: SelectionPanelState = options;
  const latest = new Latest();

  const count = element("p", { class: "selection-panel-count", role: "status" });
  const exportButton = button("Export CSV", () => download(csvFile(scene, [...table.sorted]), "selection.csv"));
  const clear = button("Clear", onClear, { "aria-label": "Clear the selection" });
  const summary = element("div", { class: "selection-panel-summary" });
  const table = selectionTable(scene, onFocus);
  const cut = element("p", { class: "muted" });
  const content = element("div", {}, summary, table.root, cut);
  const head = element("div", { class: "selection-panel-head" }, count, exportButton, clear);
  fill(host, element("div", { class: "selection-panel" }, head, content));

  const summarise = async () => {
    const wanted = latest.begin();
    const selected = nodeMask(scene.ids.length, state.selected);
    const numTested = countTested(scene.attributes) + state.relations.length;
    const parts = [
      ...categoryPart(scene, selected, state.selected.length, numTested),
      ...fromVectorsPart(scene, selected),
      ...numberPart(scene, selected),
    ];
    const note = state.selected.length < scene.ids.length ? [testedLine(numTested)] : [];
    fill(summary, ...parts);
    try {
      const rows = await loadRelations(scene, state.relations);
      const densities = relationPart(relationDensities(rows, selected), state.selected.length, numTested);
      if (wanted()) fill(summary, ...parts, ...densities, ...note);
    } catch (error) {
      if (wanted()) fill(summary, ...parts, errorLine(error));
    }
  };

  const show = () => {
    latest.begin();
    const { length } = state.selected;
    const empty =
      scene.ids.length === 0 ? "The graph has no nodes." : "No nodes are selected: draw a lasso or a box on the map.";
    count.textContent =
      length === 0 ? empty : `${countText(length, "node")} of ${scene.ids.length.toLocaleString("en")} selected`;
    exportButton.hidden = clear.hidden = content.hidden = length === 0;
    if (length === 0) return;
    table.show(state.selected);
    cut.textContent =
      length > MAX_SCROLLED
        ? `The table shows the first ${MAX_SCROLLED.toLocaleString("en")} rows; the export has all.`
        : "";
    void summarise();
  };
  show();

  return {
    update(changes) {
      const before = state;
      state = { ...state, ...changes };
      // the table keeps its place if only the relations changed
      if (!sameNumbers(state.selected, before.selected)) show();
      else if (state.selected.length > 0 && !sameNumbers(state.relations, before.relations)) void summarise();
    },
    dispose() {
      latest.begin();
      fill(host);
    },
  };
}

/** The table as text in parts; joined they are one CSV file. */
export function csvParts(scene: Scene, nodes: readonly number[]): string[] {
  const { attributes, ids } = scene;
  const row = (node: number): CsvCell[] => [
    ids[node],
    ...attributes.map((attribute) => {
      if (attribute.kind === "number") return attribute.values[node];
      return attribute.codes[node] < 0 ? undefined : attribute.categories[attribute.codes[node]];
    }),
  ];
  const parts = [csvText([["id", ...attributes.map(({ name }) => name)]])];
  for (let at = 0; at < nodes.length; at += CSV_SLICE) parts.push(csvText(nodes.slice(at, at + CSV_SLICE).map(row)));
  return parts;
}

function csvFile(scene: Scene, nodes: readonly number[]): Blob {
  return new Blob(csvParts(scene, nodes), { type: "text/csv;charset=utf-8" });
}

/** How the lists are corrected for the number of tests. */
function testedLine(numTested: number): HTMLElement {
  const tests = `${numTested.toLocaleString("en")} categories and relations are tested`;
  return missingLine(
    `${tests}. Beyond chance means: a random selection of this size would show one or more such differences with a probability of at most ${percentText(MAX_CHANCE)} (Bonferroni).`,
  );
}

function categoryPart(scene: Scene, selected: Uint8Array, numSelected: number, numTested: number): HTMLElement[] {
  const attributes = testedAttributes(scene.attributes);
  if (!attributes.some(({ kind }) => kind === "category")) {
    return [missingLine("The nodes have no labels or categories to compare.")];
  }
  // a category of one node, such as its name, is nothing that several nodes have in common
  const minCount = Math.min(2, numSelected);
  const isAll = numSelected === selected.length;
  const shares = categoryShares(attributes, selected).filter(
    ({ chance, count }) => (isAll || isSignificant(chance, numTested)) && count >= minCount,
  );
  if (shares.length === 0) return [missingLine("No category is more frequent inside beyond chance.")];
  const rows = shares.slice(0, LISTED_CATEGORIES).map(categoryRow);
  const left = shares.length - rows.length;
  const more = left > 0 ? [missingLine(`and ${left} more`)] : [];
  const caption = isAll ? "Categories of all nodes" : "Categories more frequent inside, beyond chance";
  return [comparison(caption, ["Category", "inside", "other nodes"], rows), ...more];
}

function categoryRow({ attribute, category, count, inside, outside }: CategoryShare): HTMLElement {
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row", title: `${countText(count, "node")} inside` },
      dataText(attribute),
      ": ",
      dataText(category),
      element("small", { class: "muted" }, timesText(inside / outside, "as frequent")),
    ),
    barCell(inside, percentText(inside)),
    barCell(outside, percentText(outside)),
  );
}

/** Categories that were computed from the vectors, such as clusters. A test of them would be circular. */
function fromVectorsPart(scene: Scene, selected: Uint8Array): HTMLElement[] {
  return scene.attributes.flatMap((attribute) => {
    if (attribute.kind !== "category" || attribute.fromVectors !== true) return [];
    const shares = categoryShares([attribute], selected).filter(({ inside, outside }) => !(inside <= outside));
    const rows = shares.slice(0, LISTED_FROM_VECTORS).map(categoryRow);
    if (rows.length === 0) return [];
    const caption = "Computed from the vectors, not tested";
    const why = "Nodes that are close on the map have similar vectors, so they share such categories anyway.";
    return [
      comparison(caption, ["Category", "inside", "other nodes"], rows),
      missingLine([attribute.doc, why].filter((text) => text !== undefined).join(" ")),
    ];
  });
}

function numberPart(scene: Scene, selected: Uint8Array): HTMLElement[] {
  const means = meanValues(scene.attributes, selected);
  if (means.length === 0) return [];
  const rows = means.map(({ attribute, inside, outside }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, dataText(attribute)),
      element("td", {}, numberText(inside)),
      element("td", {}, numberText(outside)),
    ),
  );
  return [comparison("Means", ["Mean of", "inside", "other nodes"], rows)];
}

function relationPart(densities: readonly RelationDensity[], numSelected: number, numTested: number): HTMLElement[] {
  if (numSelected < 2) return [missingLine("Select two nodes or more to compare densities of relations.")];
  if (densities.length === 0) return [missingLine("No relation is on: densities cannot be compared.")];
  const most = densities.reduce((max, { inside, outside }) => Math.max(max, inside, outside || 0), Number.MIN_VALUE);
  const rows = densities
    .slice(0, LISTED_RELATIONS)
    .map(({ name, edges, inside, outside, ratio, chance }) =>
      element(
        "tr",
        {},
        element(
          "th",
          { scope: "row", title: `${countText(edges, "linked pair")} inside` },
          dataText(name),
          element("small", { class: "muted" }, ratioText(ratio, isSignificant(chance, numTested))),
        ),
        barCell(inside / most, perHundredText(inside)),
        barCell(outside / most, perHundredText(outside)),
      ),
    );
  return [
    comparison(
      "Density of relations: linked pairs per 100 pairs of nodes",
      ["Relation", "inside", "other pairs"],
      rows,
    ),
    missingLine("Inside: pairs of two selected nodes. Other pairs: one or both nodes are not selected."),
  ];
}

function ratioText(ratio: number, isBeyondChance: boolean): string {
  if (!Number.isNaN(ratio) && ratio < 1) return " less dense inside";
  return `${timesText(ratio, "denser inside")}${Number.isNaN(ratio) || isBeyondChance ? "" : ", within chance"}`;
}

/** " 3.7 × denser inside"; " only inside" if there are none outside. */
function timesText(ratio: number, words: string): string {
  if (Number.isNaN(ratio)) return "";
  return ratio === Number.POSITIVE_INFINITY
    ? " only inside"
    : ` ${numberText(Number(ratio.toPrecision(2)))} × ${words}`;
}

function comparison(caption: string, columns: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  const heads = columns.map((text) => element("th", { scope: "col" }, text));
  return element(
    "table",
    { class: "selection-panel-comparison" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows),
  );
}

function barCell(share: number, text: string): HTMLElement {
  const bar = element("span", { class: "selection-panel-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", Number.isFinite(share) ? share.toFixed(4) : "0");
  return element("td", {}, element("span", { class: "selection-panel-share" }, bar, element("span", {}, text)));
}
