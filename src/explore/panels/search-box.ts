/** Finds a node by its id, with suggestions (ARIA combobox with a list box). */

import { type Component, element, fill } from "../dom.js";
import { countText } from "../questions/node-facts.js";
import { IdSearch } from "./id-search.js";
import { dataText, Latest, uniqueId } from "./marks.js";

export interface SearchBoxOptions {
  readonly ids: readonly string[];
  readonly onChoose: (node: number) => void;
}

export interface SearchBox extends Component {
  /** Searches among other ids from now on. */
  update(ids: readonly string[]): void;
  /** Puts the cursor into the box. */
  focus(): void;
}

/** Suggestions shown at once. */
const MAX_SUGGESTIONS = 10;

export function createSearchBox(host: HTMLElement, { ids: firstIds, onChoose }: SearchBoxOptions): SearchBox {
  let ids = firstIds;
  let search = new IdSearch(ids);
  let found: readonly number[] = [];
  let active = -1;
  const latest = new Latest();

  const listId = uniqueId("search-box-list");
  const inputId = uniqueId("search-box-input");
  const input = element("input", {
    id: inputId,
    class: "search-box-input",
    type: "text",
    role: "combobox",
    placeholder: "Find a node by its id",
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
  const label = element("label", { for: inputId, class: "visually-hidden" }, "Find a node by its id");
  fill(host, element("div", { class: "search-box" }, label, input, list, status));

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
    input.value = ids[node];
    close();
    onChoose(node);
  };

  const markActive = (place: number) => {
    active = place;
    for (const [i, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(i === active));
      if (i === active) {
        input.setAttribute("aria-activedescendant", option.id);
        option.scrollIntoView({ block: "nearest" });
      }
    }
    if (active < 0) input.removeAttribute("aria-activedescendant");
  };

  const show = (nodes: readonly number[]) => {
    found = nodes;
    const options = nodes.map((node) => {
      const option = element("li", { id: uniqueId("search-box-option"), role: "option" }, dataText(ids[node]));
      option.addEventListener("click", () => choose(node));
      return option;
    });
    fill(list, ...options);
    list.hidden = nodes.length === 0;
    input.setAttribute("aria-expanded", String(nodes.length > 0));
    markActive(-1);
    if (ids.length === 0) status.textContent = "The graph has no nodes.";
    else if (nodes.length === 0) status.textContent = "No id has this text.";
    else
      status.textContent =
        nodes.length < MAX_SUGGESTIONS ? countText(nodes.length, "node") : `The first ${MAX_SUGGESTIONS} nodes`;
  };

  const ask = async (): Promise<boolean> => {
    const query = input.value.trim();
    if (query === "") {
      close();
      return false;
    }
    const wanted = latest.begin();
    const nodes = await search.find(query, MAX_SUGGESTIONS, wanted);
    if (nodes === undefined || !wanted()) return false;
    show(nodes);
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
      if (found.length > 0) choose(found[Math.max(0, active)]);
    }
  };

  input.addEventListener("input", () => void ask());
  input.addEventListener("keydown", (event) => void onKey(event));
  input.addEventListener("blur", close);
  // the press of an option must not take the focus away, which would close the list before the click
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("mousedown", (event) => event.preventDefault());

  return {
    update(nextIds) {
      ids = nextIds;
      search = new IdSearch(ids);
      close();
    },
    focus: () => input.focus(),
    dispose() {
      latest.begin();
      fill(host);
    },
  };
}
