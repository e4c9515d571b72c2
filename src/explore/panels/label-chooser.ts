/** Chooses the text that stands for each node on the map and in lists: its id, or a column of text. */

import { type Component, element, fill } from "../dom.js";
import { shownText } from "../questions/node-facts.js";
import { textColumns } from "../questions/node-names.js";
import type { Attribute } from "../scene/scene.js";
import { uniqueId } from "./marks.js";

export interface LabelChooserState {
  readonly attributes: readonly Attribute[];
  /** Name of the chosen column; undefined: ids. */
  readonly labels?: string | undefined;
}

export interface LabelChooserOptions extends LabelChooserState {
  readonly onLabels: (name: string | undefined) => void;
}

export interface LabelChooser extends Component {
  update(changes: LabelChooserState): void;
}

/** Hidden if the nodes have no column of text. */
export function createLabelChooser(host: HTMLElement, options: LabelChooserOptions): LabelChooser {
  let columns = textColumns(options.attributes);
  const id = uniqueId("label-chooser");
  const chooser = element("select", { id, class: "label-chooser-select" });
  const line = element("p", { class: "label-chooser" }, element("label", { for: id }, "Labels "), chooser);
  fill(host, line);
  // values are places in the list, because a column may have any name
  chooser.addEventListener("change", () => options.onLabels(columns[Number(chooser.value)]?.name));

  const show = ({ attributes, labels }: LabelChooserState) => {
    columns = textColumns(attributes);
    const choices = columns.map(({ name }, place) => element("option", { value: place }, shownText(name)));
    fill(chooser, element("option", { value: -1 }, "id"), ...choices);
    chooser.value = String(columns.findIndex(({ name }) => name === labels));
    line.hidden = columns.length === 0;
  };
  show(options);
  return { update: show, dispose: () => fill(host) };
}
