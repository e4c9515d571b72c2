/** Refuses files of other tools that are not tables, with a way to convert each. */

import { InputError } from "../core/errors.js";
import { shellWord } from "../core/text.js";
import type { TextHead } from "./text-head.js";

/** Graph formats that are recognised by their extension. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  graphml: "GraphML",
  gexf: "GEXF",
  gml: "GML",
  mtx: "Matrix Market",
};

/** The file has the format of another tool. */
export class ForeignFormatError extends InputError {}

/** Refuses files that are not tables; `isEdgeTable` says whether a table of edges is expected. */
export function refuseForeignFormats(head: TextHead, isEdgeTable: boolean): void {
  const { path, extension, text } = head;
  const refuse = (found: string, advice: string): never => {
    throw new ForeignFormatError(`${path}: ${found}; expected a table of edges. ${advice}`);
  };
  if (extension === "gmt") {
    refuse("sets of genes (GMT) are not read", "Write a row gene,set for each gene of a set: both become nodes.");
  }
  if (/^\s*<(!doctype\s+html|html|head|body)\b/i.test(text)) {
    refuse("this is a web page", "If it was downloaded, open it in a browser: it may explain why the download failed.");
  }
  if (text.startsWith("version https://git-lfs.github.com/spec/")) {
    refuse("this is a Git LFS pointer, not the file itself", "Fetch the file with git lfs pull.");
  }
  if (/^(#.*\n|\s)*(<[^<>\s]+>|_:\S+)\s+<[^<>\s]+>\s+[<_"].*\.\s*?(\n|$)/.test(text)) {
    refuse("RDF triples are not read", "Write a row source,relation,target for each triple whose object is a node.");
  }
  if (hasKeysAndValues(text)) {
    refuse("fields written as key=value are not read", "Write the keys as a header and a row of values for each edge.");
  }
  if (/^\s*\|.*\n\s*\|[\s:|-]+\|[ \t\r]*(\n|$)/.test(text)) {
    refuse("Markdown tables are not read", "Delete the line of dashes and the | at both ends of every line.");
  }
  if (/^nodedef\s*>/i.test(text)) {
    refuse("GDF is not read", "Copy the lines below edgedef> to a new file, below a header such as source,target.");
  }
  // The multinet library writes its networks in such sections.
  if ((text.match(/^#(TYPE|VERSION|LAYERS|ACTORS|EDGES|VERTICES)\s*$/gm)?.length ?? 0) > 1) {
    refuse(
      "sections such as #EDGES are not read",
      "Copy the lines of #EDGES to a new file, below a header: source,target,relation.",
    );
  }
  if (/^\s*dl\b[\s,]*(n|nr|nm|format)\s*=/i.test(text)) {
    refuse(
      "UCINET DL is not read",
      "Copy the lines below data: to a new file; for an edge list, add a header such as source target weight.",
    );
  }
  if (isEdgeTable && (extension === "lgl" || isLgl(text))) {
    refuse(
      "LGL is not read",
      `Convert it: awk '/^#/ {source = $2; next} NF {print source "\\t" $1}' ${shellWord(path)} > edges.tsv.`,
    );
  }
  if (isEdgeTable && isMetis(head)) {
    refuse(
      "METIS is not read",
      `Convert an unweighted file: awk '/^%/ {next} node++ {for (i = 1; i <= NF; i++) print node - 1, $i}' ${shellWord(path)} > edges.txt.`,
    );
  }
  refuseNetworkx(head);
}

/** Refuses formats that networkx can convert. */
function refuseNetworkx({ path, extension, text }: TextHead): void {
  const dot = /^(\s|\/\/.*\n|#.*\n)*(strict\s+)?(di)?graph\b[^\n{]*\s*\{/i.test(text) ? "Graphviz's DOT" : undefined;
  // By its first line: the extension .net is also used for tables.
  const pajek = /^(\s|[#%].*\n)*\*(vertices|network)/i.test(text) ? "Pajek" : undefined;
  const xml = /^[^<]*<\?xml/.test(text) ? /<(graphml|gexf)\b/i.exec(text)?.[1].toLowerCase() : undefined;
  const dictionaries = /^(#.*\n)*\S+[ \t]\S+[ \t]\{.*\}\s*?(\n|$)/.test(text)
    ? "a list of edges with dictionaries"
    : undefined;
  const format = pajek ?? dot ?? dictionaries ?? BY_EXTENSION[xml ?? extension];
  if (format === undefined) return;
  const name = JSON.stringify(path);
  const readers = [
    [dot, `nx.nx_pydot.read_dot(${name})`],
    [dictionaries, `nx.read_edgelist(${name})`],
    [pajek, `nx.read_pajek(${name})`],
    ...["graphml", "gexf", "gml"].map((known) => [BY_EXTENSION[known], `nx.read_${known}(${name})`]),
    [BY_EXTENSION["mtx"], `nx.from_scipy_sparse_array(scipy.io.mmread(${name}))`],
  ];
  throw new ForeignFormatError(
    `${path}: ${format} is not read; expected a table of edges. Convert it with networkx: ` +
      `nx.to_pandas_edgelist(${readers.find(([known]) => known === format)?.[1]}).to_csv("edges.csv", index=False).`,
  );
}

/** `ts=1 src=10.0.0.1 dst=10.0.0.2`, as logs are written: every word of the first line has a different key. */
function hasKeysAndValues(text: string): boolean {
  const [line] = text.trimStart().split(/[\r\n]/, 1);
  if (/[,;\t]/.test(line)) return false;
  const words = line
    .replace(/"[^"]*"/g, "text")
    .trim()
    .split(/ +/);
  const keys = words.map((word) => /^(\w+)=./.exec(word)?.[1]);
  return keys.length > 1 && !keys.includes(undefined) && new Set(keys).size === keys.length;
}

/**
 * LGL lists `# node`, then one neighbour per line with an optional weight, then the next `# node`. At least one line must have no
 * weight: lines of two fields alone may be edges with comments between them.
 */
function isLgl(text: string): boolean {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isNode = (line: string) => /^#\s+\S+$/.test(line);
  const isNeighbor = (line: string) => /^[^#\s,;|][^\s,;|]*([ \t]+[\d.eE+-]+)?$/.test(line);
  const firstNeighbor = lines.findIndex(isNeighbor);
  return (
    firstNeighbor === 1 &&
    lines.findLastIndex(isNode) > firstNeighbor &&
    lines.some((line) => /^[^#\s]\S*$/.test(line)) &&
    lines.every((line) => isNode(line) || isNeighbor(line))
  );
}

/**
 * METIS writes `nodes edges [format]` and then the neighbours of node 1, 2, … one node per line. The counts must agree: as many lines
 * as nodes, and each edge twice. A head that is not the whole file cannot show this, so there the extension decides.
 * Rows of three fields throughout are never METIS: they may be `layer source target`.
 */
function isMetis({ extension, text, complete }: TextHead): boolean {
  if (extension === "metis") return true;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => !line.startsWith("%"));
  if (lines.at(-1) === "") lines.pop();
  const rows = lines.map((line) => line.split(/\s+/).filter((word) => word !== ""));
  const [[nodes = "", edges = "", format = "0", ...others] = [], ...below] = rows;
  if (others.length > 0 || !/^[01]{1,3}$/.test(format) || rows.flat().some((word) => !/^\d+$/.test(word))) return false;
  if (rows.every(({ length }) => length === 3)) return false;
  if (!complete) return extension === "graph" && new Set(below.map(({ length }) => length)).size > 1;
  const [nodeWeights, edgeWeights] = [format.at(-2) === "1" ? 1 : 0, format.at(-1) === "1" ? 1 : 0];
  const numbers = below.reduce((sum, { length }) => sum + length, 0);
  return (
    below.length === Number(nodes) && numbers === nodeWeights * below.length + 2 * Number(edges) * (1 + edgeWeights)
  );
}
