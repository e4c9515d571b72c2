/** Programs that re-export everything of an entry of the package without naming a type, so that the compiler has to name it. */

import * as hmge from "../../src/index.js";
import * as io from "../../src/io/index.js";
import * as model from "../../src/model.js";
import * as tables from "../../src/tables.js";

/** Members of a run, which no exported function returns. */
const RUN = `export const read = async (run: entry.Run) => ({
  snapshot: await run.snapshot(), views: run.views, weights: await run.relationWeights(), parameters: await run.parameters(),
  reason: run.stopReason, layers: await run.layers(), identity: run.identity, vectors: await run.relationVectors(0),
});
export const kinds = (graph: entry.Multiplex) => [graph.kinds, graph.features, graph.report] as const;
`;

const LOADED =
  "export const parts = (graph: entry.LoadedGraph) => [graph.kinds, graph.features, graph.report] as const;\n";

/** A model whose type includes the values that it reads from the graph. */
const OWN_MODEL = `export const own = entry.defineModel({
  name: "own", paper: "none", year: 2026, summary: "a table", cost: "little",
  options: { dim: entry.int(4, { doc: "width" }) },
  presets: { default: { doc: "as it is", options: {} } },
  training: { epochs: 1, patience: 1, learningRate: 0.01, weightDecay: 0 },
  prepare: ({ relations, numNodes, features, labels }) => ({
    operators: relations.map((relation) => entry.normalizedOperator(relation, numNodes, { selfLoop: 1, directed: false })),
    relations, features, labels,
  }),
  init: (parameter, { numNodes }, { dim }) => ({ table: parameter("table", numNodes, dim, entry.normal(1)) }),
  loss: ({ table }) => entry.sumSquares(table),
  embed: ({ table }) => table,
});
`;

/** One program for each entry, by a name for its file. */
export function namingConsumers(): ReadonlyMap<string, string> {
  return new Map([
    ["names-hmge", `${consumerOf("hmge", hmge)}${RUN}`],
    ["names-io", `${consumerOf("hmge/io", io)}${LOADED}`],
    ["names-model", `${consumerOf("hmge/model", model)}${OWN_MODEL}`],
    ["names-tables", consumerOf("hmge/tables", tables)],
  ]);
}

function consumerOf(entry: string, exported: object): string {
  return [
    `import * as entry from "${entry}";`,
    "const inferred = <T>(value: T): T => value;",
    "declare const any: any;",
    ...handedOn("entry", exported),
    "",
  ].join("\n");
}

function handedOn(path: string, exported: object): string[] {
  return Object.entries(exported).flatMap(([name, value]) => {
    const of = `${path}.${name}`;
    const own = of.replaceAll(".", "_");
    if (Object.prototype.toString.call(value) === "[object Module]") return handedOn(of, value as object);
    if (typeof value !== "function") return [`export const ${own} = ${of};`];
    if (/^class\b/.test(Function.prototype.toString.call(value))) return [];
    return [
      `export const ${own}_takes = inferred(any as Parameters<typeof ${of}>);`,
      `export const ${own}_gives = inferred(any as ReturnType<typeof ${of}>);`,
    ];
  });
}
