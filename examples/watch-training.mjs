/** Training as an iterator: looks at every epoch, stops when it has seen enough, keeps the best vectors. */
import { generateSbm, hmge, startRun } from "hmge";

const { graph } = generateSbm({ nodes: 300, relations: 3, pIn: 0.1, pOut: 0.02, seed: 1 });
const enough = new AbortController();
const run = await startRun(graph, hmge, { dim: 16, seed: 1, signal: enough.signal });
try {
  for await (const { epoch, loss, bestLoss } of run) {
    if (epoch % 20 === 0) console.log(`epoch ${epoch}: loss ${loss.toFixed(4)}, best ${bestLoss.toFixed(4)}`);
    if (loss < 0.3 || epoch === 200) enough.abort();
  }
  const { ids, dim } = await run.readEmbedding();
  console.log(`stopped: ${run.stopReason}; ${ids.length} vectors of ${dim} numbers`);
} finally {
  await run.dispose();
}
