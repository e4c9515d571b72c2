/** `hmge generate`: synthetic multiplex graphs with known labels. */

import { InputError, suggest } from "../core/errors.js";
import { type Command, switchOption, textOption } from "./command.js";
import { readCount, readNumber } from "./number-options.js";

const NODES = 3000;
const RELATIONS = 3;
const P_IN = 0.05;
const P_OUT = 0.01;

/** Per drawn edge: growing columns, then the matrices and the text of the file. */
const BYTES_PER_EDGE = 80;
const BYTES_PER_NODE = 200;

export const generate: Command = {
  name: "generate",
  usage: "sbm --out DIR [options]",
  summary: "write a synthetic multiplex with labels: the stochastic block model of the HMGE paper",
  options: [
    { name: "out", value: "DIR", doc: "the dataset folder to write" },
    { name: "nodes", value: "N", doc: "nodes", default: String(NODES) },
    { name: "relations", value: "N", doc: "relations, each over its own two communities", default: String(RELATIONS) },
    { name: "p-in", value: "P", doc: "probability of an edge within a community", default: String(P_IN) },
    { name: "p-out", value: "P", doc: "probability of an edge across", default: String(P_OUT) },
    { name: "seed", value: "N", doc: "equal seeds, equal graphs", default: "1" },
    { name: "overwrite", doc: "write into a folder that holds other files" },
  ],
  examples: ["sbm --nodes 3000 --relations 41 --p-in 0.05 --p-out 0.01 --seed 1 --out sbm41"],
  async run(given, output) {
    const [kind, ...rest] = given.words;
    if (kind !== "sbm") {
      throw new InputError(
        kind === undefined
          ? "generate: no kind of graph given; expected sbm."
          : `generate: unknown kind "${kind}"${suggest(kind, ["sbm"])}`,
      );
    }
    if (rest.length > 0) throw new InputError(`generate: found "${rest[0]}" after sbm; expected options only.`);
    const out = textOption(given, "out");
    if (out === undefined) throw new InputError("--out: not given; expected a folder for the dataset.");
    const options = {
      nodes: readCount(given, "nodes", 2) ?? NODES,
      relations: readCount(given, "relations", 1) ?? RELATIONS,
      pIn: readNumber(given, "p-in", 0, 1) ?? P_IN,
      pOut: readNumber(given, "p-out", 0, 1) ?? P_OUT,
      seed: readCount(given, "seed", 0) ?? 1,
    };
    const [{ checkOutputFolder, requireRoom }, { requireMemory }, { generateSbm }, { writeDataset }, { plural }] =
      await Promise.all([
        import("./output-folder.js"),
        import("./memory-estimate.js"),
        import("../graph/synthetic/sbm.js"),
        import("../io/write-dataset.js"),
        import("../report/format.js"),
      ]);
    await checkOutputFolder(out, { overwrite: switchOption(given, "overwrite"), resume: false });
    const pairs = (options.nodes * (options.nodes - 1)) / 4;
    const edges = options.relations * pairs * (options.pIn + options.pOut);
    requireMemory(edges * BYTES_PER_EDGE + options.nodes * options.relations * 5 + options.nodes * BYTES_PER_NODE, {
      advice: "Lower --nodes, --relations or the probabilities.",
    });
    const { graph, labels } = generateSbm(options);
    // an edge takes about 4 bytes in the compressed file
    await requireRoom(out, edges * 4);
    const files = await writeDataset(out, graph, {
      labels,
      description: { name: "sbm", generator: { kind: "sbm", ...options } },
    });
    const numEdges = graph.relations.reduce((sum, relation) => sum + relation.numEdges, 0);
    output.document({ out, files, nodes: graph.numNodes, relations: graph.relations.length, edges: numEdges, options });
    if (!output.quiet) {
      output.print(
        `${plural(graph.numNodes, "node")}, ${plural(numEdges, "edge")} in ${plural(graph.relations.length, "relation")}`,
      );
      for (const file of files) output.print(`  ${file}`);
      output.print(`Try: hmge embed ${out} --out vectors`);
    }
    return 0;
  },
};
