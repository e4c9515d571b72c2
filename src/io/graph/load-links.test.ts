import { expect, test } from "vitest";
import { inputError, temporaryFolder } from "../test-files.js";
import { loadLinks } from "./load-links.js";

const { write } = temporaryFolder();

test("reads all columns, in the order of the file", async () => {
  const path = write("links.tsv", "relation\tsource\ttarget\tlabel\tsplit\nr1\tb\ta\t1\ttest\nr2\ta\tc\t0\tval\n");
  expect(await loadLinks(path)).toEqual({
    source: ["b", "a"],
    target: ["a", "c"],
    relation: ["r1", "r2"],
    labels: Uint8Array.of(1, 0),
    split: ["test", "val"],
  });
});

test("pairs without labels are edges", async () => {
  const path = write("edges.csv", "source,target\na,b\nc,d\n");
  expect(await loadLinks(path)).toEqual({ source: ["a", "c"], target: ["b", "d"], labels: Uint8Array.of(1, 1) });
});

test("recognises the column names of edges, and columns that the user named for the edges", async () => {
  const path = write("kinds.csv", "predicate,user,item\nbought,ann,tea\n");
  expect(await loadLinks(path)).toMatchObject({ source: ["ann"], target: ["tea"], relation: ["bought"] });
  const named = write("named.csv", "who,what,how\nann,tea,bought\n");
  const columns = { source: "who", target: "what", relation: "how", weight: "amount" };
  expect(await loadLinks(named, columns)).toMatchObject({ source: ["ann"], target: ["tea"], relation: ["bought"] });
  expect(await loadLinks(path, columns)).toMatchObject({ source: ["ann"] });
  expect(await inputError(loadLinks(named))).toMatch(/Add a header line, such as source,target,relation\.$/);
  const both = write("both.csv", "source,target,relation,label\nann,tea,bought,0\n");
  expect(await loadLinks(both, { relation: "label" })).toMatchObject({
    relation: ["bought"],
    labels: Uint8Array.of(0),
  });
});

test("positions that the user gave for the edges are not used for the pairs", async () => {
  const path = write("plain.csv", "3,5\n4,6\n");
  expect((await loadLinks(path, { source: 3, target: 5 })).source).toEqual(["3", "4"]);
});

test("without a header, four columns are relation, source, target and label", async () => {
  const path = write("gatne.txt", "1 a b 1\n2 a c 0\n");
  expect(await loadLinks(path)).toMatchObject({
    relation: ["1", "2"],
    source: ["a", "a"],
    labels: Uint8Array.of(1, 0),
  });
});

test("other labels and missing values are refused; the error names the line", async () => {
  const odd = write("odd.csv", "source,target,label\na,b,1\nc,d,2\n");
  expect(await inputError(loadLinks(odd))).toBe(`${odd}: label 2; expected 1 for an edge and 0 for a non-edge.`);
  const words = write("words.csv", "source,target,label\na,b,yes\n");
  expect(await inputError(loadLinks(words))).toBe(`${words}:2: label "yes"; expected a finite number.`);
  const empty = write("empty.csv", "source,target,label\na,,1\n");
  expect(await inputError(loadLinks(empty))).toBe(`${empty}:2: target is empty; expected a name.`);
});
