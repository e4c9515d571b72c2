/** A model that is only defined: help, documentation and the contract tests work without any entry for it. */

import { describe, expect, test } from "vitest";
import { documentModels } from "../../scripts/model-docs.mjs";
import { modelsOverview } from "../../src/cli/models.js";
import { listModels } from "../../src/cli/options/model-options.js";
import { formatOption, int } from "../../src/core/options.js";
import {
  add,
  bceLogits,
  gatherDots,
  randomKey,
  sampleEntries,
  sampleNodes,
  spmmSum,
} from "../../src/engine/ops/index.js";
import type { Tensor } from "../../src/engine/program.js";
import { normalizedOperator } from "../../src/graph/normalize.js";
import { undirectedRelations } from "../../src/graph/union.js";
import { normal } from "../../src/nn/init.js";
import { defineModel } from "../../src/nn/model.js";
import { aliasTable } from "../../src/nn/walks/alias-table.js";
import { describeModel } from "./model-suite.js";

const SUMMARY = "pulls the vectors of neighbours together; defined in this test only";

const toy = defineModel({
  name: "toy",
  paper: "Ann, Bo 2026, unpublished",
  year: 2026,
  summary: SUMMARY,
  cost: "2·nnz·dim + 4·batch·dim",
  options: {
    dim: int(32, { min: 1, max: 4096, doc: "width of the vectors" }),
    batch: int(512, { min: 1, max: 1e6, doc: "edges per step" }),
  },
  presets: {
    default: { doc: "the default", options: {} },
    small: { doc: "few edges per step", options: { batch: 64 } },
  },
  training: { epochs: 60, patience: 60, learningRate: 0.05, weightDecay: 0 },
  optimization: { keep: "last" },
  prepare(graph, { batch }, builder) {
    const { numNodes, relations, directed } = graph;
    return {
      edges: undirectedRelations(graph),
      normalized: relations.map((relation) => normalizedOperator(relation, numNodes, { selfLoop: 1, directed })),
      share: builder.constant(new Float32Array(relations.length).fill(1 / relations.length), 1, relations.length),
      anyNode: aliasTable(builder, new Float64Array(numNodes).fill(1)),
      yes: builder.constant(new Float32Array(batch).fill(1), batch, 1),
      no: builder.constant(new Float32Array(batch), batch, 1),
    };
  },
  init: (parameter, { numNodes }, { dim }) => ({ table: parameter("table", numNodes, dim, normal(0.1)) }),
  loss({ table }, g, { batch }, builder) {
    const z = smoothed(table, g);
    const edge = sampleEntries(randomKey(builder, "edges"), g.edges, batch);
    const other = sampleNodes(randomKey(builder, "others"), g.anyNode, batch);
    return add(
      bceLogits(gatherDots(z, z, edge.row, edge.column), g.yes),
      bceLogits(gatherDots(z, z, edge.row, other), g.no),
    );
  },
  embed: ({ table }, g) => smoothed(table, g),
});

function smoothed(
  table: Tensor,
  { normalized, share }: { normalized: ReturnType<typeof normalizedOperator>[]; share: Tensor },
): Tensor {
  return add(spmmSum(normalized, share, table), table);
}

describe("a model that is only defined", () => {
  test("appears in the help of commands and in the table of hmge models", async () => {
    const same = (text: string) => text;
    const output = { ascii: false, columns: 80, style: { bold: same, dim: same, accent: same } };
    for (const text of [await listModels([toy]), modelsOverview([toy], output)]) {
      expect(text).toMatch(/\btoy\b/);
      expect(text.replaceAll(/\s+/g, " ")).toContain(SUMMARY);
    }
    expect(await listModels()).not.toContain("toy");
  });

  test("has a chapter and a row of the table in docs/models.md", () => {
    const chapter = documentModels([toy], formatOption);
    expect(chapter).toContain("## toy\n");
    expect(chapter).toContain("| `batch` | `512` | integer from 1 to 1000000 | edges per step |");
    expect(chapter).toContain("- preset `small`: few edges per step");
    expect(chapter).toContain(`\n| [\`toy\`](#toy) | Ann et al. 2026 | ${SUMMARY} |\n`);
  });
});

describeModel(toy);
