/** Label columns in a table of features, and advice about label columns. */

import { expect, test } from "vitest";
import { loadGraph } from "./graph/load-graph.js";
import { headerAdvice, loadLabels } from "./tables/labels.js";
import { inputError, temporaryFolder } from "./test-files.js";

const { write } = temporaryFolder();
const edges = () => write("edges.csv", "source,target\na,b\nb,c\n");

async function featuresOf(name: string, text: string, labels = "elsewhere.csv", column?: string) {
  const path = write(name, text);
  const { features, notes } = await loadGraph(edges(), {
    features: path,
    labels: { files: [labels === "same" ? path : labels], column },
  });
  return { names: features?.names, notes };
}

test("columns called label or class are not features", async () => {
  for (const label of ["label", "Class"]) {
    const { names, notes } = await featuresOf("table.csv", `id,age,${label}\na,3,x\nb,4,y\nc,5,x\n`);
    expect(names).toEqual(["age"]);
    expect(notes).toEqual([expect.stringContaining(`"${label}" is not used as features`)]);
  }
  const two = await featuresOf("two.csv", "id,Class,age,label\na,1,3,x\nb,2,4,y\nc,1,5,x\n");
  expect(two.names).toEqual(["age"]);
  expect(two.notes).toEqual([expect.stringContaining('"Class", "label" are not used as features')]);
  const numbers = await featuresOf("numbers.csv", "id,label,age\na,1,3\nb,2,4\nc,1,5\n");
  expect(numbers.names).toEqual(["age"]);
});

test("other label columns are not features if labels are read from the same file", async () => {
  const text = "id,age,group\na,3,1\nb,4,2\nc,5,1\n";
  expect((await featuresOf("group.csv", text)).names).toEqual(["age", "group"]);
  expect((await featuresOf("group.csv", text, "same")).names).toEqual(["age"]);
  expect((await featuresOf("group.csv", text, "same", "age")).names).toEqual(["group"]);
});

test("a table of labels alone is refused as features", async () => {
  const path = write("only.csv", "id,label\na,x\nb,y\nc,x\n");
  expect(await inputError(loadGraph(edges(), { features: path }))).toContain(
    "only a node column and a column of labels; expected columns of features too.",
  );
});

test("advice about labels names --columns only if the command accepts it for labels", async () => {
  const path = write("accounts.csv", "account,label\na,x\nb,y\n");
  expect(await inputError(loadLabels(path))).toContain("Rename it to node, id, node_id in the file.");
  expect(await inputError(loadLabels(path, undefined, {}))).toContain("as in --columns node=NAME.");
});

test("a first row with unknown names may be a header, if its node is unknown", async () => {
  const headerless = await loadLabels(write("labels.tsv", "protein_id\tfunc\na\tx\nb\ty\n"));
  expect(headerless.firstNode).toBe("protein_id");
  expect(headerAdvice(headerless, (id) => ["a", "b"].includes(id))).toBe(
    '; the first row, "protein_id", is one of them: if it is a header, rename its columns to node and label',
  );
  expect(headerAdvice(headerless, () => true)).toBe("");
  const named = await loadLabels(write("named.tsv", "node\tlabel\nz\tx\nb\ty\n"));
  expect(headerAdvice(named, () => false)).toBe("");
});
