/** Labels in a table of features, and how their columns are named. */

import { expect, test } from "vitest";
import { loadGraph } from "./graph/load-graph.js";
import { loadLabels } from "./tables/labels.js";
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

test("a column of labels is no feature", async () => {
  for (const label of ["label", "Class"]) {
    const { names, notes } = await featuresOf("table.csv", `id,age,${label}\na,3,x\nb,4,y\nc,5,x\n`);
    expect(names).toEqual(["age"]);
    expect(notes).toEqual([expect.stringContaining(`"${label}" is taken for labels`)]);
  }
  const two = await featuresOf("two.csv", "id,Class,age,label\na,1,3,x\nb,2,4,y\nc,1,5,x\n");
  expect(two.names).toEqual(["age"]);
  expect(two.notes).toEqual([expect.stringContaining('"Class", "label" are taken for labels')]);
  const numbers = await featuresOf("numbers.csv", "id,label,age\na,1,3\nb,2,4\nc,1,5\n");
  expect(numbers.names).toEqual(["age"]);
});

test("other names of labels count where labels are read from the same file", async () => {
  const text = "id,age,group\na,3,1\nb,4,2\nc,5,1\n";
  expect((await featuresOf("group.csv", text)).names).toEqual(["age", "group"]);
  expect((await featuresOf("group.csv", text, "same")).names).toEqual(["age"]);
  expect((await featuresOf("group.csv", text, "same", "age")).names).toEqual(["group"]);
});

test("labels alone are no features", async () => {
  const path = write("only.csv", "id,label\na,x\nb,y\nc,x\n");
  expect(await inputError(loadGraph(edges(), { features: path }))).toContain(
    "only a node column and one of labels; expected columns of features beside it.",
  );
});

test("--columns is advised for labels only where it can be given", async () => {
  const path = write("accounts.csv", "account,label\na,x\nb,y\n");
  expect(await inputError(loadLabels(path))).toContain("Call it node, id, node_id in the file.");
  expect(await inputError(loadLabels(path, undefined, {}))).toContain("as in --columns node=NAME.");
});
