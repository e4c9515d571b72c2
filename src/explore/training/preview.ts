/** The first rows of a dropped file, with the role of each column to choose, and what is found in the whole file. */

import { EDGE_ROLES } from "../../tables.js";
import { button, type Component, element, fill } from "../dom.js";
import type { CodedEdges } from "./coded-edges.js";
import { readTable } from "./read-edges.js";
import type { FileTable } from "./table/file-table.js";

/** The edges of a file as the visitor accepted them. */
export interface AcceptedEdges {
  /** Name of the file without its extension. */
  readonly title: string;
  readonly edges: CodedEdges;
  /** Whether the direction of edges is kept. */
  readonly directed: boolean;
}

export interface PreviewOptions {
  readonly file: File;
  readonly table: FileTable;
  /** Called when the visitor accepts the columns and all edges have been read. */
  readonly onAccept: (accepted: AcceptedEdges) => void;
  /** Called when the columns change after they were accepted. */
  readonly onChange?: () => void;
}

/** Shown for a column that is not read. */
const NO_ROLE = "–";

export function createPreview(
  host: HTMLElement,
  { file, table: opened, onAccept, onChange }: PreviewOptions,
): Component {
  let table = opened;
  let chosen = new Map(opened.chosen);
  let reading: AbortController | undefined;
  const root = element("section", { class: "preview", "aria-label": `Columns of ${file.name}` });
  const rows = element("div", { class: "preview-rows", tabindex: 0, role: "region", "aria-label": "First rows" });
  const count = element("p", { class: "preview-count", role: "status" });
  const problem = element("p", { class: "preview-problem", role: "alert" });
  const bar = element("progress", { class: "preview-progress", max: 1, "aria-label": "Reading the file" });
  const notes = element("ul", { class: "preview-notes muted" });
  const header = element("input", { type: "checkbox", id: "preview-header" });
  const directed = element("input", { type: "checkbox", id: "preview-directed" });
  let found: CodedEdges | undefined;
  const accept = button("Use these edges", () => {
    if (found !== undefined) onAccept({ title: table.stem, edges: found, directed: directed.checked });
  });

  header.checked = table.header;
  header.disabled = table.withHeader === undefined;
  header.addEventListener("change", () => {
    const names = table.names.length;
    table = table.withHeader?.(header.checked) ?? table;
    if (table.names.length !== names) chosen = new Map();
    // roles that the visitor gave to columns stay; names that are known now give the others
    const isFree = (role: string, index: number) => !chosen.has(role) && ![...chosen.values()].includes(index);
    for (const [role, index] of table.chosen) if (isFree(role, index)) chosen.set(role, index);
    changed();
  });
  directed.addEventListener("change", () => onChange?.());

  const setRole = (index: number, role: string) => {
    for (const [name, column] of chosen) if (column === index || name === role) chosen.delete(name);
    if (role !== "") chosen.set(role, index);
    changed();
  };
  const showRows = () => {
    const roleOf = (index: number) => [...chosen].find(([, column]) => column === index)?.[0] ?? "";
    const select = (name: string, index: number) => {
      const made = element(
        "select",
        { "aria-label": `Role of ${name}` },
        ...["", ...EDGE_ROLES.map((role) => role.name)].map((role) =>
          element("option", { value: role, selected: role === roleOf(index) }, role === "" ? NO_ROLE : role),
        ),
      );
      made.addEventListener("change", () => setRole(index, made.value));
      return made;
    };
    const head = table.names.map((name, i) =>
      element("th", { scope: "col" }, select(name, i), element("span", {}, name)),
    );
    const body = table.firstRows.map((fields) =>
      element(
        "tr",
        {},
        ...table.names.map((_, i) => element("td", { class: roleOf(i) === "" ? "muted" : "" }, cut(fields[i] ?? ""))),
      ),
    );
    // The new selects replace the one that has the focus.
    const focused = [...rows.querySelectorAll<Element>("select")].indexOf(document.activeElement ?? rows);
    fill(rows, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)));
    if (focused >= 0) rows.querySelectorAll("select")[focused]?.focus();
  };
  const readAll = async () => {
    reading?.abort();
    const current = new AbortController();
    reading = current;
    found = undefined;
    accept.disabled = true;
    problem.textContent = "";
    bar.hidden = false;
    bar.value = 0;
    const onProgress = (share: number, numRows: number) => {
      bar.value = share;
      count.textContent = `${numRows.toLocaleString("en")} rows …`;
    };
    try {
      const edges = await readTable(file, table, { chosen }, { onProgress, signal: current.signal });
      if (current.signal.aborted) return;
      found = edges;
      accept.disabled = false;
      count.textContent = describe(edges);
    } catch (error) {
      if (current.signal.aborted) return;
      count.textContent = "";
      problem.textContent = withoutFlags(error instanceof Error ? error.message : String(error));
    }
    bar.hidden = true;
  };
  const show = () => {
    showRows();
    fill(notes, ...notesOf(table, chosen).map((note) => element("li", {}, note)));
    const isComplete = EDGE_ROLES.every(({ name, required }) => !required || chosen.has(name));
    if (isComplete) void readAll();
    else {
      reading?.abort();
      found = undefined;
      accept.disabled = true;
      bar.hidden = true;
      count.textContent = "";
      const advice = "Choose a source and a target column above the rows.";
      problem.textContent = table.problem === undefined ? advice : `${withoutFlags(table.problem)} ${advice}`;
    }
  };
  const changed = () => {
    onChange?.();
    show();
  };

  fill(
    root,
    element("h3", { class: "preview-title" }, file.name),
    rows,
    element("label", { class: "preview-option", for: header.id }, header, " The first row holds names"),
    element("label", { class: "preview-option", for: directed.id }, directed, " Edges have a direction"),
    bar,
    count,
    problem,
    notes,
    accept,
  );
  host.append(root);
  show();
  return {
    dispose() {
      reading?.abort();
      root.remove();
    },
  };
}

/** Characters of a cell that are shown. */
const MAX_CELL = 60;

function cut(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
}

/** A message of the reader without its sentences about flags of the command line. */
function withoutFlags(message: string): string {
  const sentences = message.split(/(?<=\.) (?=[A-Z])/);
  return sentences.filter((sentence) => !/ --[a-z]/.test(sentence)).join(" ");
}

function describe({ ids, relationNames, source }: CodedEdges): string {
  const number = (count: number, one: string) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
  return `${number(source.length, "row")}, ${number(ids.length, "node")}, ${number(relationNames.length, "relation")}.`;
}

function notesOf({ notes, header, kind, stem }: FileTable, chosen: ReadonlyMap<string, number>): string[] {
  const order = [...chosen].sort(([, a], [, b]) => a - b).map(([role]) => role);
  if (!chosen.has("source") || !chosen.has("target")) return [];
  return [
    ...(header || kind !== "text" || order.length === 0
      ? []
      : [`No header; the columns are read as ${order.join(", ")}.`]),
    ...(chosen.has("relation") ? [] : [`No relation column: all edges become the relation ${stem}.`]),
    ...notes,
  ];
}
