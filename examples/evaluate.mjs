/** Evaluates from a program: scores held-out links, compared with counting common neighbours, and labels predicted from a tenth of the labels. */
import {
  classifyNodes,
  decoderScorer,
  dotScorer,
  evaluateLinks,
  generateSbm,
  holdOutLinks,
  linkBaselines,
  multiview,
  predictLabels,
  readDecoder,
  scorePairs,
  startRun,
  train,
} from "hmge";

const { graph, labels } = generateSbm({ nodes: 200, relations: 3, pIn: 0.15, pOut: 0.02, seed: 1 });
const settings = { dim: 32, epochs: 50, seed: 1 };

// a tenth of every relation's edges, set against as many pairs that are none
const { training, tests } = holdOutLinks(graph, { share: 0.1, seed: 1 });
const show = (name, scorer) => {
  const { pooled } = evaluateLinks(tests, scorePairs(tests, scorer));
  console.log(`links, ROC-AUC, ${name}: ${pooled.auc.toFixed(3)}`);
};
const run = await startRun(training, multiview, { ...settings, withRelations: true });
try {
  for await (const _ of run);
  show("decoder of the model", decoderScorer(await readDecoder(run, multiview, training)));
  show("inner products", dotScorer(await run.readEmbedding()));
} finally {
  await run.dispose();
}
for (const { name, ownRelation, score } of linkBaselines(training)) {
  show(ownRelation ? `${name} in the pair's relation` : name, score);
}

// labels are read from vectors of the whole graph
const { embedding } = await train(graph, multiview, settings);
const known = { byNode: new Map(graph.ids.map((id, node) => [id, [labels[node]]])), names: [...new Set(labels)] };
const { results, chosen } = classifyNodes([embedding], known, { split: { train: 0.1 }, strength: "validate" });
for (const { rows, macroF1 } of results) console.log(`labels, macro-F1, ${rows} vectors: ${macroF1.mean.toFixed(3)}`);
console.log(`better on validation nodes, which are training nodes: ${chosen?.rows} vectors`);

// labels of the others from those of the first 60 nodes, and how right they will be
const some = { ...known, byNode: new Map([...known.byNode].slice(0, 60)) };
const { predicted, expected } = predictLabels(embedding, some, { graph });
const right = predicted.ids.filter((id, i) => known.names[predicted.labels[i][0]] === known.byNode.get(id)[0]).length;
console.log(
  `predicted labels, accuracy: expected ${expected.accuracy.mean.toFixed(3)} ± ${expected.accuracy.deviation.toFixed(3)}, true ${(right / predicted.ids.length).toFixed(3)}`,
);
