/** Files of other tools that are no tables of edges. */

import { InputError } from "../../core/errors.js";
import type { FileHead } from "./file-head.js";

/** Formats of other tools that people have graphs in, by their extension. */
const FOREIGN: Readonly<Record<string, string>> = {
  graphml: "GraphML",
  gexf: "GEXF",
  gml: "GML",
  mtx: "Matrix Market",
};

/** Refuses files that are no tables, with a way out. */
export function refuseForeign({ path, extension, text }: FileHead): void {
  if (extension === "gmt") {
    throw new InputError(
      `${path}: sets of genes are not read; expected a table of edges. Write a row gene,set for each gene of a set: both become nodes.`,
    );
  }
  if (/^\s*<(!doctype\s+html|html|head|body)\b/i.test(text)) {
    throw new InputError(
      `${path}: this is a web page; expected a table of edges. If it was downloaded, look at it in a browser: it may say why the file did not come.`,
    );
  }
  if (text.startsWith("version https://git-lfs.github.com/spec/")) {
    throw new InputError(
      `${path}: this is a pointer of Git LFS, not the file itself; expected a table of edges. Fetch it with git lfs pull.`,
    );
  }
  if (/^(#.*\n|\s)*(<[^<>\s]+>|_:\S+)\s+<[^<>\s]+>\s+[<_"].*\.\s*?(\n|$)/.test(text)) {
    throw new InputError(
      `${path}: RDF triples are not read; expected a table of edges. Write a row source,relation,target for each triple whose object is a node.`,
    );
  }
  if (hasKeysAndValues(text)) {
    throw new InputError(
      `${path}: fields written as key=value are not read; expected a table of edges, with a header of keys and a row of values for each edge.`,
    );
  }
  if (/^\s*\|.*\n\s*\|[\s:|-]+\|[ \t\r]*(\n|$)/.test(text)) {
    throw new InputError(
      `${path}: tables of Markdown are not read; expected a table of edges. Take out the line of dashes and the | at both ends of all lines.`,
    );
  }
  if (/^nodedef\s*>/i.test(text)) {
    throw new InputError(
      `${path}: GDF is not read; expected a table of edges. Copy the lines below edgedef> to a file of their own, below a header such as source,target.`,
    );
  }
  // as multinet writes its networks
  if ((text.match(/^#(TYPE|VERSION|LAYERS|ACTORS|EDGES|VERTICES)\s*$/gm)?.length ?? 0) > 1) {
    throw new InputError(
      `${path}: sections such as #EDGES are not read; expected a table of edges. Copy the lines of #EDGES below a header, source,target,relation.`,
    );
  }
  const dot = /^(\s|\/\/.*\n|#.*\n)*(strict\s+)?(di)?graph\b[^\n{]*\s*\{/i.test(text) ? "Graphviz's DOT" : undefined;
  // others call tables .net
  const pajek = /^(\s|[#%].*\n)*\*(vertices|network)/i.test(text) ? "Pajek" : undefined;
  const xml = /^[^<]*<\?xml/.test(text) ? /<(graphml|gexf)\b/i.exec(text)?.[1].toLowerCase() : undefined;
  const dictionaries = /^(#.*\n)*\S+[ \t]\S+[ \t]\{.*\}\s*?(\n|$)/.test(text)
    ? "a list of edges with dictionaries"
    : undefined;
  const format = pajek ?? dot ?? dictionaries ?? FOREIGN[xml ?? extension];
  if (format === undefined) return;
  const name = JSON.stringify(path);
  const readers = [
    [dot, `nx.nx_pydot.read_dot(${name})`],
    [dictionaries, `nx.read_edgelist(${name})`],
    [pajek, `nx.read_pajek(${name})`],
    ...["graphml", "gexf", "gml"].map((known) => [FOREIGN[known], `nx.read_${known}(${name})`]),
    [FOREIGN["mtx"], `nx.from_scipy_sparse_array(scipy.io.mmread(${name}))`],
  ];
  throw new InputError(
    `${path}: ${format} is not read; expected a table of edges. With networkx: ` +
      `nx.to_pandas_edgelist(${readers.find(([what]) => what === format)?.[1]}).to_csv("edges.csv", index=False).`,
  );
}

/** `ts=1 src=10.0.0.1 dst=10.0.0.2`, as logs are written: every word of the first line has a key of its own. */
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
