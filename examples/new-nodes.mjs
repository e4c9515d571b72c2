/** Somebody comes new: a vector by their edges, without training again. */
import { fitNeighborMap, generateSbm, multiplexFromEdges, multiview, neighborsOf, placeNewNodes, train } from "hmge";

const { graph, communities } = generateSbm({ nodes: 300, relations: 1, pIn: 0.1, pOut: 0.01, seed: 1 });
const { embedding } = await train(graph, multiview, { dim: 16, epochs: 100, seed: 1 });
const neighbors = fitNeighborMap(graph, embedding);
if (neighbors === undefined) throw new Error("no node has a neighbour");

// the edges of new nodes, to nodes of the training and among themselves, under the names of its relations
const friends = graph.ids.filter((_, node) => communities[0][node] === 1).slice(0, 5);
const arrivals = multiplexFromEdges({
  source: friends.map(() => "newcomer"),
  target: friends,
  relation: friends.map(() => graph.relations[0].name),
});
const placed = placeNewNodes({ neighbors }, embedding, arrivals);
console.log(`${placed.embedding.ids.length} placed, by ${placed.numKnown} nodes that were known`);

const all = {
  ids: [...embedding.ids, ...placed.embedding.ids],
  dim: embedding.dim,
  vectors: Float32Array.from([...embedding.vectors, ...placed.embedding.vectors]),
};
const nearest = neighborsOf(all, "newcomer", 10);
const sameGroup = nearest.filter(({ node: id }) => communities[0][graph.ids.indexOf(id)] === 1).length;
console.log(`${sameGroup} of the ${nearest.length} nearest nodes are of the group of its friends`);
