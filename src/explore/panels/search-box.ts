/** Finds a node by its id or by a text of its columns, with suggestions (ARIA combobox with a list box). */

import { type Component, element, fill } from "../dom.js";
import { countText, shownText } from "../questions/node-facts.js";
import { nodeName, textColumns } from "../questions/node-names.js";
import type { Scene } from "../scene/scene.js";
import { dataText, Latest, uniqueId } from "./marks.js";
import { type FoundNode, type FoundNodes, NodeSearch } from "./node-search.js";

/** Ids and texts of the nodes. */
export type SearchedNodes = Pick<Scene, "ids" | "attributes" | "names">;

export interface SearchBoxOptions {
  readonly nodes: SearchedNodes;
  readonly onChoose: (node: number) => void;
}

export interface SearchBox extends Component {
  /** Searches among other ids and texts from now on. */
  update(nodes: SearchedNodes): void;
  /** Puts the cursor into the box. */
  focus(): void;
}

/** Suggestions shown at once. */
const MAX_SUGGESTIONS = 10;

export function createSearchBox(host: HTMLElement, { nodes: firstNodes, onChoose }: SearchBoxOptions): SearchBox {
  let nodes = firstNodes;
  let search = searchOf(nodes);
  let found: readonly FoundNode[] = [];
  let active = -1;
  /** The node whose name is in the box, until another text is typed. */
  let chosen: { readonly text: string; readonly id: string } | undefined;
  const latest = new Latest();

  const listId = uniqueId("search-box-list");
  const inputId = uniqueId("search-box-input");
  const input = element("input", {
    id: inputId,
    class: "search-box-input",
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-controls": listId,
    "aria-expanded": "false",
  });
  const list = element("ul", {
    id: listId,
    class: "search-box-list",
    role: "listbox",
    "aria-label": "Nodes found",
    hidden: true,
  });
  const status = element("p", { class: "search-box-status muted", role: "status" });
  const label = element("label", { for: inputId, class: "visually-hidden" });
  fill(host, element("div", { class: "search-box" }, label, input, list, status));
  const showPurpose = () => {
    const purpose = textColumns(nodes.attributes).length === 0 ? "Find a node by its id" : "Find a node by id or text";
    label.textContent = purpose;
    input.setAttribute("placeholder", purpose);
  };
  showPurpose();

  const close = () => {
    latest.begin();
    found = [];
    active = -1;
    list.hidden = true;
    fill(list);
    status.textContent = "";
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const choose = (node: number) => {
    chosen = { text: chosenText(nodes, node), id: nodes.ids[node] };
    input.value = chosen.text;
    close();
    onChoose(node);
  };

  const markActive = (place: number) => {
    active = place;
    for (const [i, option] of [...list.querySelectorAll("[role=option]")].entries()) {
      option.setAttribute("aria-selected", String(i === active));
      if (i === active) {
        input.setAttribute("aria-activedescendant", option.id);
        option.scrollIntoView({ block: "nearest" });
      }
    }
    if (active < 0) input.removeAttribute("aria-activedescendant");
  };

  const show = ({ nodes: answer, total }: FoundNodes) => {
    found = answer;
    const options = answer.map((one) => {
      const option = element("li", { id: uniqueId("search-box-option"), role: "option" }, ...suggestion(nodes, one));
      option.addEventListener("click", () => choose(one.node));
      return option;
    });
    const more = total > answer.length ? `and ${(total - answer.length).toLocaleString("en")} more` : "";
    // the line of status says it to screen readers
    const moreLine = element(
      "li",
      { class: "search-box-more muted", role: "presentation", "aria-hidden": "true" },
      more,
    );
    fill(list, ...options, more === "" ? undefined : moreLine);
    list.hidden = answer.length === 0;
    input.setAttribute("aria-expanded", String(answer.length > 0));
    markActive(-1);
    if (nodes.ids.length === 0) status.textContent = "The graph has no nodes.";
    else if (answer.length === 0) status.textContent = "No node has this text.";
    else status.textContent = `${countText(answer.length, "node")} ${more}`.trim();
  };

  const ask = async (): Promise<boolean> => {
    const query = input.value === chosen?.text ? chosen.id : input.value.trim();
    if (query === "") {
      close();
      return false;
    }
    const wanted = latest.begin();
    const answer = await search.find(query, MAX_SUGGESTIONS, wanted);
    if (answer === undefined || !wanted()) return false;
    show(answer);
    return true;
  };

  const onKey = async (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (list.hidden) input.value = "";
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (found.length === 0) await ask();
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (found.length > 0)
        markActive(active < 0 && step < 0 ? found.length - 1 : (active + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      // the answer to the newest text may still be on its way
      if (active < 0 && !(await ask())) return;
      if (found.length > 0) choose(found[Math.max(0, active)].node);
    }
  };

  input.addEventListener("input", () => void ask());
  input.addEventListener("keydown", (event) => void onKey(event));
  input.addEventListener("blur", close);
  // the press of an option must not take the focus away, which would close the list before the click
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("mousedown", (event) => event.preventDefault());

  return {
    update(next) {
      nodes = next;
      search = searchOf(nodes);
      showPurpose();
      close();
    },
    focus: () => input.focus(),
    dispose() {
      latest.begin();
      fill(host);
    },
  };
}

function searchOf({ ids, attributes }: SearchedNodes): NodeSearch {
  return new NodeSearch(ids, textColumns(attributes));
}

/** The id of a node, or its name with the id. */
function chosenText(nodes: SearchedNodes, node: number): string {
  const [name, id] = [nodeName(nodes, node), nodes.ids[node]];
  return name === id ? id : `${shownText(name)} (${shownText(id)})`;
}

/** The name of the node, its id if that is another text, and the text that was found if it is in neither. */
function suggestion(nodes: SearchedNodes, { node, column }: FoundNode): HTMLElement[] {
  const name = nodeName(nodes, node);
  const parts = [dataText(name)];
  if (name !== nodes.ids[node]) parts.push(element("small", { class: "muted" }, " ", dataText(nodes.ids[node])));
  if (column !== undefined && column !== nodes.names) {
    const text = column.categories[column.codes[node]];
    parts.push(element("small", { class: "muted" }, " ", dataText(column.name), ": ", dataText(text)));
  }
  return parts;
}
