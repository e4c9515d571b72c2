import { expect, test } from "vitest";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { hmge, mne } from "../../models/index.js";
import { requireEngineMemory } from "./memory-estimate.js";

const edges = { source: ["a", "b", "c", "d"], target: ["b", "c", "d", "a"] };
const graph = { ...multiplexFromEdges(edges), files: [], notes: [] };

test("a run that does not fit into one memory is refused with the number of ranks, if its model can be divided", async () => {
  const request = { model: hmge, settings: {} };
  await requireEngineMemory(graph, request, { engineBytes: 4e9 });
  await expect(requireEngineMemory(graph, request, { engineBytes: 10e9 })).rejects.toThrow(
    /^memory: the engine would need 10 GB, and WebAssembly memory ends at 4\.3 GB\. Divide it among processes with --ranks 3\. --set/,
  );
  await expect(requireEngineMemory(graph, request, { engineBytes: 5e9 }, 4)).rejects.toThrow(
    /need 5\.0 GB on each rank, and .* --ranks 6\. --set/,
  );
  await expect(requireEngineMemory(graph, { model: mne, settings: {} }, { engineBytes: 10e9 })).rejects.toThrow(
    /ends at 4\.3 GB\. --set/,
  );
});
