/** A graph from arrays, without files: who is nearest to Ada? */
import { hmge, multiplexFromEdges, train } from "hmge";

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
const { embedding } = await train(graph, hmge, { dim: 8, epochs: 100, seed: 1 });

const vector = (id) => embedding.vectors.subarray(embedding.ids.indexOf(id) * embedding.dim).slice(0, embedding.dim);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
const others = embedding.ids.filter((id) => id !== "Ada");
const nearest = others.map((id) => ({ id, cosine: cosine(vector("Ada"), vector(id)) }));
console.table(nearest.sort((a, b) => b.cosine - a.cosine));
