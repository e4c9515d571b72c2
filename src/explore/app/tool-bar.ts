/** The bar above the map: title, search, choice of the map, tools, theme, files. */

import { button, type Component, element, fill } from "../dom.js";
import type { Tool } from "../map/map-view.js";
import type { SceneHeader } from "../scene/scene.js";
import type { MapChoice } from "./state/state.js";
import type { Theme } from "./theme.js";

export interface ToolBarOptions {
  readonly header: SceneHeader;
  readonly map: MapChoice;
  readonly theme: Theme;
  readonly onMap: (map: MapChoice) => void;
  /** The visitor asks for two columns and has not said which. */
  readonly onColumns: () => void;
  readonly onTool: (tool: Tool) => void;
  readonly onFit: () => void;
  readonly onZoom: (factor: number) => void;
  readonly onTheme: () => void;
  /** Entries of the menu "Save and open". */
  readonly files: readonly { readonly label: string; readonly run: () => void }[];
  /** Opens the training page; undefined where the page cannot train. */
  readonly onTrain?: () => void;
}

export interface ToolBar extends Component {
  /** Where the search box goes. It is in the bar until a caller moves it. */
  readonly search: HTMLElement;
  /** Puts the search box back into the bar. */
  placeSearch(): void;
  update(changes: { readonly map?: MapChoice; readonly theme?: Theme }): void;
}

const TOOLS: readonly (readonly [Tool, string, string])[] = [
  ["pan", "Move", "Move the map by dragging"],
  ["box", "Box", "Select the nodes in a box; Shift and drag does the same"],
  ["lasso", "Lasso", "Select the nodes in a loop"],
];
/** Factor of one click on + or −. */
const ZOOM_STEP = 1.5;

export function createToolBar(host: HTMLElement, options: ToolBarOptions): ToolBar {
  const { header } = options;
  let { map } = options;
  const search = element("div", { class: "tool-bar-search" });

  const mapChooser = element("select", { "aria-label": "Map", class: "tool-bar-map" });
  const columnChoosers = [0, 1].map((axis) =>
    element("input", {
      type: "number",
      min: 1,
      max: header.dim,
      "aria-label": axis === 0 ? "Column across" : "Column upwards",
      class: "tool-bar-column",
    }),
  );
  const showMap = () => {
    const names = header.maps.map((name) => element("option", { value: name }, name));
    fill(mapChooser, ...names, element("option", { value: "" }, "two columns"));
    const columns = "columns" in map ? map.columns : undefined;
    mapChooser.value = "name" in map ? map.name : "";
    columnChoosers.forEach((input, axis) => {
      input.hidden = columns === undefined;
      input.value = String((columns?.[axis] ?? axis) + 1);
    });
  };
  const readColumns = (): MapChoice | undefined => {
    const [first, second] = columnChoosers.map((input) => Number(input.value) - 1);
    const isColumn = (column: number) => Number.isInteger(column) && column >= 0 && column < header.dim;
    return isColumn(first) && isColumn(second) ? { columns: [first, second] } : undefined;
  };
  mapChooser.addEventListener("change", () => {
    if (mapChooser.value === "") options.onColumns();
    else options.onMap({ name: mapChooser.value });
  });
  for (const input of columnChoosers) {
    input.addEventListener("change", () => {
      const columns = readColumns();
      if (columns !== undefined) options.onMap(columns);
    });
  }

  const tools = TOOLS.map(([tool, label, title]) =>
    button(label, () => chooseTool(tool), { title, "aria-pressed": String(tool === "pan") }),
  );
  const chooseTool = (chosen: Tool) => {
    TOOLS.forEach(([tool], k) => {
      tools[k].setAttribute("aria-pressed", String(tool === chosen));
    });
    options.onTool(chosen);
  };

  const menu = element("details", { class: "tool-bar-menu" }, element("summary", {}, "Save and open"));
  const entries = options.files.map(({ label, run }) =>
    button(label, () => {
      menu.open = false;
      run();
    }),
  );
  menu.append(element("div", { class: "tool-bar-entries" }, ...entries));
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menu.open = false;
  });

  const theme = button("", options.onTheme, { class: "tool-bar-theme" });
  const showTheme = (shown: Theme) => {
    theme.textContent = shown === "dark" ? "Light" : "Dark";
    theme.title = `Use ${shown === "dark" ? "light" : "dark"} colours`;
  };

  const title = element("h1", { class: "app-title", title: header.title }, header.title);
  fill(
    host,
    title,
    search,
    element("span", { class: "tool-bar-group" }, mapChooser, ...columnChoosers),
    element("span", { class: "tool-bar-group", role: "group", "aria-label": "Tools" }, ...tools),
    element(
      "span",
      { class: "tool-bar-group", role: "group", "aria-label": "Zoom" },
      button("−", () => options.onZoom(1 / ZOOM_STEP), { "aria-label": "Zoom out" }),
      button("+", () => options.onZoom(ZOOM_STEP), { "aria-label": "Zoom in" }),
      button("Fit", options.onFit, { title: "Show the whole map" }),
    ),
    menu,
    options.onTrain === undefined ? undefined : button("Train", options.onTrain, { title: "Train on a file of edges" }),
    theme,
  );
  showMap();
  showTheme(options.theme);

  return {
    search,
    placeSearch: () => title.after(search),
    update(changes) {
      map = changes.map ?? map;
      showMap();
      if (changes.theme !== undefined) showTheme(changes.theme);
    },
    dispose: () => fill(host),
  };
}
