/** A custom model: vectors that distinguish edges from other pairs of nodes, smoothed over all relations. */
import { fileURLToPath } from "node:url";
import { generateSbm, train } from "hmge";
import {
  add,
  aliasTable,
  bceLogits,
  defineModel,
  gatherDots,
  int,
  normal,
  normalizedOperator,
  randomKey,
  sampleEntries,
  sampleNodes,
  spmmSum,
  undirectedRelations,
} from "hmge/model";

export const smooth = defineModel({
  name: "smooth",
  paper: "examples/own-model.mjs",
  year: 2026,
  summary: "vectors that distinguish edges from other pairs of nodes",
  cost: "2·nnz·dim + 4·batch·dim",
  options: {
    dim: int(32, { min: 1, max: 4096, doc: "width of the vectors" }),
    batch: int(1024, { min: 1, max: 1e6, doc: "edges of a step" }),
  },
  presets: { default: { doc: "as it is", options: {} } },
  training: { epochs: 200, patience: 200, learningRate: 0.05, weightDecay: 0 },

  /** Once: matrices and constants that loss and vectors read. */
  prepare(graph, { batch }, builder) {
    const { numNodes, relations, directed } = graph;
    return {
      numNodes,
      edges: undirectedRelations(graph),
      normalized: relations.map((relation) => normalizedOperator(relation, numNodes, { selfLoop: 1, directed })),
      share: builder.constant(new Float32Array(relations.length).fill(1 / relations.length), 1, relations.length),
      anyNode: aliasTable(builder, new Float64Array(numNodes).fill(1)),
      yes: builder.constant(new Float32Array(batch).fill(1), batch, 1),
      no: builder.constant(new Float32Array(batch), batch, 1),
    };
  },

  /** What is trained. */
  init: (parameter, { numNodes }, { dim }) => ({ table: parameter("table", numNodes, dim, normal(0.1)) }),

  /** Traced once, differentiated, and then replayed every epoch. */
  loss({ table }, g, { batch }, builder) {
    const z = vectors(table, g);
    const edge = sampleEntries(randomKey(builder, "edges"), g.edges, batch);
    const other = sampleNodes(randomKey(builder, "others"), g.anyNode, batch);
    return add(
      bceLogits(gatherDots(z, z, edge.row, edge.column), g.yes),
      bceLogits(gatherDots(z, z, edge.row, other), g.no),
    );
  },

  embed: ({ table }, g) => vectors(table, g),
});

function vectors(table, { normalized, share }) {
  return add(spmmSum(normalized, share, table), table);
}

// run by itself, it trains; as `hmge embed edges.csv --model examples/own-model.mjs --out vectors` it is only the model
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { graph } = generateSbm({ nodes: 300, relations: 3, pIn: 0.1, pOut: 0.02, seed: 1 });
  const run = await train(graph, smooth, { seed: 1 });
  console.log(
    `${run.numEpochs} epochs, loss ${run.losses[0].toFixed(3)} at first, ${run.losses.at(-1).toFixed(3)} at last`,
  );
}
