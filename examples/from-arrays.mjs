/** Builds a graph from arrays, without files, and lists the nodes nearest to Ada. */
import { multiplexFromEdges, multiview, neighborsOf, train } from "hmge";

const edges = [
  ["work", "Ada", "Bo"],
  ["work", "Bo", "Cleo"],
  ["work", "Dan", "Eve"],
  ["choir", "Ada", "Cleo"],
  ["choir", "Dan", "Fay"],
  ["street", "Ada", "Bo"],
  ["street", "Eve", "Fay"],
  ["street", "Cleo", "Dan"],
];
const graph = multiplexFromEdges({
  relation: edges.map(([relation]) => relation),
  source: edges.map(([, source]) => source),
  target: edges.map(([, , target]) => target),
});
const { embedding } = await train(graph, multiview, { dim: 8, seed: 1 });
console.table(neighborsOf(embedding, "Ada"));
