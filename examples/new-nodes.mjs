/** Computes the vector of a new node from its edges, without training again. */
import { fitNeighborMap, generateSbm, multiplexFromEdges, multiview, neighborsOf, placeNewNodes, train } from "hmge";

const { graph, communities } = generateSbm({ nodes: 300, relations: 1, pIn: 0.1, pOut: 0.01, seed: 1 });
const { embedding } = await train(graph, multiview, { dim: 16, epochs: 100, seed: 1 });
const neighbors = fitNeighborMap(graph, embedding);
if (neighbors === undefined) throw new Error("no node has a neighbour");

// Edges of new nodes may lead to trained nodes and to other new nodes. Their relations must have the names used in training.
const friends = graph.ids.filter((_, node) => communities[0][node] === 1).slice(0, 5);
const newEdges = multiplexFromEdges({
  source: friends.map(() => "newcomer"),
  target: friends,
  relation: friends.map(() => graph.relations[0].name),
});
const placed = placeNewNodes({ neighbors }, embedding, newEdges);
console.log(
  `${placed.embedding.ids.length} new node placed; it has ${placed.numKnown} neighbours among the trained nodes`,
);

const all = {
  ids: [...embedding.ids, ...placed.embedding.ids],
  dim: embedding.dim,
  vectors: Float32Array.from([...embedding.vectors, ...placed.embedding.vectors]),
};
const nearest = neighborsOf(all, "newcomer", 10);
const sameGroup = nearest.filter(({ node: id }) => communities[0][graph.ids.indexOf(id)] === 1).length;
console.log(`${sameGroup} of the ${nearest.length} nearest nodes belong to the same group as its neighbours`);
