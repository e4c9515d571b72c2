/** The likeliest missing edges of a node in one relation, marked as predictions, each with its score and the reason. */

import { type Component, element, fill } from "../dom.js";
import { countText, numberText, percentText, shownText } from "../questions/node-facts.js";
import { type Predictions, predictEdges } from "../questions/predictions.js";
import { reasons } from "../questions/reasons.js";
import { loadRelations, type RelationRows } from "../questions/relation-rows.js";
import type { Scene } from "../scene/scene.js";
import { errorLine, Latest, missingLine, nodeButton, uniqueId } from "./marks.js";

export interface PredictionListState {
  readonly node?: number;
  /** Index of the relation whose edges are predicted. */
  readonly relation: number;
  /** Indices of the relations in which reasons are looked for. */
  readonly relations: readonly number[];
}

export interface PredictionListOptions extends PredictionListState {
  readonly scene: Scene;
  readonly onFocus: (node: number) => void;
  readonly onRelation: (relation: number) => void;
}

export interface PredictionList extends Component {
  update(changes: Partial<PredictionListState>): void;
}

/** Predictions listed. */
const LISTED = 10;

export function createPredictionList(host: HTMLElement, options: PredictionListOptions): PredictionList {
  const { scene, onFocus, onRelation } = options;
  let state: PredictionListState = options;
  const latest = new Latest();
  const { relations, decoder } = scene.header;

  const id = uniqueId("prediction-list");
  const chooser = element("select", { id });
  for (const [i, { name }] of relations.entries()) chooser.append(element("option", { value: i }, shownText(name)));
  chooser.addEventListener("change", () => onRelation(Number(chooser.value)));
  const list = element("div");
  const choice = element(
    "div",
    { class: "prediction-list-choice" },
    element("label", { for: id }, "Missing edges in "),
    chooser,
  );
  choice.hidden = decoder === undefined || relations.length === 0;
  fill(host, element("div", { class: "prediction-list" }, choice, list));

  const ask = async (node: number) => {
    const wanted = latest.begin();
    fill(list, missingLine("Scoring pairs …"));
    try {
      const predictions = await predictEdges(scene, state.relation, node, LISTED);
      const rows = await loadRelations(scene, state.relations);
      if (wanted()) fill(list, ...shown(scene, state.relation, predictions, rows, node, onFocus));
    } catch (error) {
      if (wanted()) fill(list, errorLine(error));
    }
  };

  const show = () => {
    latest.begin();
    chooser.value = String(state.relation);
    if (decoder === undefined) {
      fill(
        list,
        missingLine("No predictions: this run has no decoder. Train a model that has one, such as multiview."),
      );
    } else if (relations.length === 0) fill(list, missingLine("No predictions: this scene has no relations."));
    else if (state.node === undefined) fill(list, missingLine("Choose a node to see its likeliest missing edges."));
    else void ask(state.node);
  };
  show();

  return {
    update(changes) {
      state = { ...state, ...changes };
      show();
    },
    dispose() {
      latest.begin();
      fill(host);
    },
  };
}

function shown(
  scene: Scene,
  relation: number,
  predictions: Predictions | undefined,
  rows: readonly RelationRows[],
  node: number,
  onFocus: (node: number) => void,
): HTMLElement[] {
  const name = shownText(scene.header.relations[relation].name);
  if (predictions === undefined) return [missingLine(`No predictions: the run has no decoder for ${name}.`)];
  const { list, comparedEdges, sampled, ignoresDirection } = predictions;
  const leadsFrom = scene.header.directed && !ignoresDirection;
  if (list.length === 0) {
    const linked = leadsFrom
      ? "Edges lead from this node to every other node"
      : "The node is linked with every other node";
    return [missingLine(`${linked} in ${name}.`)];
  }
  const items = list.map(({ node: other, score, edgesBelow }) => {
    const why = reasons(scene, rows, node, other).map((reason) => element("li", {}, element("bdi", {}, reason)));
    const above = Number.isNaN(edgesBelow) ? "" : `, above ${percentText(edgesBelow)} of the edges`;
    return element(
      "li",
      {},
      nodeButton(scene, other, onFocus),
      element("p", { class: "prediction-list-score" }, `score ${numberText(score)}${above}`),
      why.length > 0 ? element("ul", { class: "node-panel-why", "aria-label": "Why" }, ...why) : undefined,
    );
  });
  const from = leadsFrom ? " The edges lead from this node to the nodes below." : "";
  const unknown = ignoresDirection
    ? " The model does not know the direction of edges: each may lead either way. Nodes that are linked in either direction are left out."
    : "";
  const edges = `${sampled ? "a sample of " : ""}${countText(comparedEdges, "edge")}`;
  const compared = comparedEdges === 0 ? "" : ` Scores are compared with those of ${edges} of ${name}.`;
  return [
    element(
      "p",
      { class: "prediction-list-mark" },
      element("strong", {}, "Predicted, not in the data."),
      `${from}${unknown}${compared}`,
    ),
    element("ol", { class: "node-panel-items prediction-list-items" }, ...items),
  ];
}
