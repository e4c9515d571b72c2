/** `hmge generate`: synthetic multiplex graphs. */

import { InputError, suggest } from "../../core/errors.js";
import { shellWord } from "../../core/text.js";
import { writeDataset } from "../../io/graph/write-dataset.js";
import { plural } from "../../report/format.js";
import { type Arguments, type Command, flagName } from "../command.js";
import { checkOutputFolder, requireDiskSpace } from "../folder/output-folder.js";
import { requireMemory } from "../run/memory-estimate.js";
import { twoColumns } from "../terminal/help.js";
import type { Output } from "../terminal/output.js";
import { programName } from "../terminal/program-name.js";
import { KINDS, OPTIONS } from "./kinds.js";

export const generate: Command<typeof OPTIONS> = {
  usage: "KIND --out DIR [options]",
  options: OPTIONS,
  examples: [
    "sbm --nodes 3000 --relations 41 --p-in 0.05 --p-out 0.01 --seed 1 --out sbm41",
    "sbm --p-in 0.03 --p-out 0.03 --weight-ratio 3 --out weighted",
    "groups --groups 5 --word-share 0.1 --out planted",
    "groups --quantities 8 --out measured",
    "random --nodes 1000000 --relations 10 --edges 20000000 --exponent 2.5 --out million",
    "degrees-only --relations 30 --seed 2 --out degrees",
  ],
  async details() {
    return ["kinds:", ...twoColumns(Object.entries(KINDS).map(([name, { doc }]) => [name, doc]))].join("\n");
  },
  run: runGenerate,
};

/** Bytes of memory per drawn edge: growing columns, then the matrices and the text of the file; and per node. */
const BYTES_PER_EDGE = 80;
const BYTES_PER_NODE = 200;
/** Bytes of an edge in the compressed file. */
const BYTES_PER_WRITTEN_EDGE = 5;

async function runGenerate(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const [kind, ...rest] = args.words;
  const names = Object.keys(KINDS);
  if (kind === undefined)
    throw new InputError(`generate: the kind of graph is missing; expected ${names.join(" or ")}.`);
  if (!Object.hasOwn(KINDS, kind)) throw new InputError(`generate: unknown kind "${kind}"${suggest(kind, names)}`);
  if (rest.length > 0) throw new InputError(`generate: found "${rest[0]}" after ${kind}; expected options only.`);
  const { own, read } = KINDS[kind];
  for (const [other, { own: foreign }] of Object.entries(KINDS)) {
    const option = Object.keys(foreign).find((key) => !Object.hasOwn(own, key) && args.flags.has(flagName(key)));
    if (option === undefined) continue;
    throw new InputError(`--${flagName(option)}: is of ${other}; ${kind} has no such option.`);
  }
  const { out, overwrite } = args.values;
  if (out === undefined) throw new InputError("--out: missing; expected a folder for the dataset.");
  const { edges, options, draw } = read(args.values);
  const { nodes, relations } = options;
  await checkOutputFolder(out, { overwrite, resume: false, dataset: true });
  requireMemory(edges * BYTES_PER_EDGE + nodes * relations * 5 + nodes * BYTES_PER_NODE, {
    advice: "Lower the number of nodes, relations or edges.",
  });
  const { graph, labels, split } = draw();
  const numEdges = graph.relations.reduce((sum, relation) => sum + relation.numEdges, 0);
  if (numEdges === 0)
    throw new InputError("generate: no edge was drawn. Increase the number of nodes or the probability of edges.");
  await requireDiskSpace(out, edges * BYTES_PER_WRITTEN_EDGE);
  const files = await writeDataset(out, graph, {
    labels,
    split,
    description: { name: kind, generator: { kind, ...options } },
  });
  output.document({ out, files, nodes: graph.numNodes, relations: graph.relations.length, edges: numEdges, options });
  if (!output.quiet) {
    output.print(
      `${plural(graph.numNodes, "node")}, ${plural(numEdges, "edge")} in ${plural(graph.relations.length, "relation")}`,
    );
    for (const file of files) output.print(`  ${file}`);
    output.print(`Try: ${programName()} embed ${shellWord(out)} --out vectors`);
  }
  return 0;
}
