/** `hmge neighbors`: the nodes whose vectors point most nearly the same way. */

import { InputError } from "../core/errors.js";
import { type Command, switchOption } from "./command.js";
import { readCount } from "./number-options.js";
import { tableLayout } from "./output.js";

const COUNT = 10;

export const neighbors: Command = {
  name: "neighbors",
  usage: "DIR NODE… [options]",
  summary: "nearest nodes by cosine",
  options: [
    { name: "count", value: "N", doc: "nodes to list", default: String(COUNT) },
    { name: "center", doc: "subtract the mean vector first; tells more where all vectors point much the same way" },
  ],
  examples: ["vectors TP53", "vectors/embeddings.parquet TP53 BRCA1 --count 5 --json"],
  async run(given, output) {
    const [path, ...nodes] = given.words;
    const count = readCount(given, "count", 1) ?? COUNT;
    if (path === undefined || nodes.length === 0) {
      throw new InputError(
        "neighbors: expected the folder or file of an embedding and at least one node, such as: hmge neighbors vectors NODE",
      );
    }
    const [{ readEmbeddings }, { nearestNodes, findNodes, centered }, { table }] = await Promise.all([
      import("../io/write-embeddings.js"),
      import("../tasks/nearest-nodes.js"),
      import("../report/terminal.js"),
    ]);
    const read = await readEmbeddings(path);
    const found = findNodes(read.ids, nodes, path);
    const embedding = switchOption(given, "center") ? centered(read) : read;
    const results = nodes.map((node, i) => ({ node, neighbors: nearestNodes(embedding, found[i], count) }));
    output.document({ embedding: path, results });
    results.forEach(({ node, neighbors: near }, i) => {
      if (i > 0) output.print("");
      if (near.length === 0) {
        const why = read.ids.length === 1 ? "there is no other node" : "its vector is zero; it is near to nothing";
        output.print(`${output.style.bold(node)}: ${why}`);
      } else {
        output.print(output.style.bold(node));
        const rows = near.map(({ node: other, cosine }) => [other, cosine.toFixed(4)]);
        output.print(table([["node", "cosine"], ...rows], { ...tableLayout(output), indent: 2 }));
      }
    });
    return 0;
  },
};
