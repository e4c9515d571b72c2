/** Headers that do not say what each column is: positions instead of names, row names, lists of nodes. */

import { describe, expect, test } from "vitest";
import { loadGraph } from "./graph/load-graph.js";
import { loadLabels } from "./tables/labels.js";
import { inputError, temporaryFolder } from "./test-files.js";

const { write } = temporaryFolder();

describe("positions in --columns", () => {
  test("work below a header with names above numbers or dates", async () => {
    const files = [
      write("pay.csv", "payer,payee,amount_eur,booked_at\nann,bob,3.5,2024-01-02\nbob,cy,4,2024-01-03\n"),
      write("visits.csv", "guest,host,day\nann,bob,2.1.2024\nbob,cy,\n"),
      write("links.csv", "from_id,to_id\n1,2\n2,3\n"),
    ];
    const { relations, ids } = await loadGraph(files, { columns: { source: 1, target: 2 } });
    expect(relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([
      ["links", 2],
      ["pay", 2],
      ["visits", 2],
    ]);
    expect(ids).toEqual(["1", "2", "3", "ann", "bob", "cy"]);
  });

  test("keep a first row whose number is missing", async () => {
    const path = write("missing.csv", "ann,bob,NA\nbob,cy,3\n");
    expect(await inputError(loadGraph(path, { columns: { source: 1, target: 2 } }))).toContain("may be a header");
  });

  test("beyond the columns of one file are refused with its name", async () => {
    const files = [
      write("calls.csv", "caller,callee,seconds\nann,bob,30\n"),
      write("mails.csv", "sender,receiver\nann,bob\n"),
    ];
    expect(await inputError(loadGraph(files, { columns: { source: 1, target: 2, weight: 3 } }))).toContain(
      'mails.csv: there is no column 3 for weight; line 1 has 2 fields: "sender", "receiver". Each file needs every column of --columns',
    );
  });
});

describe("rows with one field more than the header", () => {
  test.each([
    ["d6.csv", "source,target,weight\nann,bob,0,5\nbob,cyd,1,5\ncyd,dan,10,5\n", "4 fields; expected 3", "0.5"],
    ["ids.csv", "source,target,weight\n1,7,0,5\n2,8,1,5\n", "4 fields; expected 3", "0.5"],
    ["r.csv", '"from","to","weight"\n"a","b",0,5\n"b","c",1,5\n', "4 fields; expected 3", "0.5"],
    ["places.csv", "source,target\nann,Rome, Italy\nbob,Oslo, Norway\n", "3 fields; expected 2", "row name"],
    ["extra.tsv", "source\ttarget\nann\tbob\t5\nbob\tcyd\t3\n", "3 fields; expected 2", "row name"],
  ])("are refused without clear row names: %s", async (name, text, found, advice) => {
    for (const columns of [undefined, { source: "source", target: "target" }]) {
      if (columns !== undefined && text.includes("from")) continue;
      const message = await inputError(loadGraph(write(name, text), { columns }));
      expect(message).toContain(`${name}:2: ${found} as in the first row.`);
      expect(message).toContain(advice);
    }
  });

  test("are refused in tables of labels", async () => {
    expect(await inputError(loadLabels(write("l6.csv", "node,label\n1,6,3\n2,7,1\n")))).toMatch(
      /l6\.csv:2: 3 fields; expected 2 .*"6,3".*: 6\.3\./,
    );
  });

  test("have row names without quotes if these are numbers, with a note", async () => {
    const { ids, notes } = await loadGraph(write("names.tsv", "source\ttarget\n1\ta\tb\n2\tb\tc\n"));
    expect(ids).toEqual(["a", "b", "c"]);
    expect(notes.join("\n")).toMatch(/names\.tsv: .* the first field is read as a row name/);
    const quoted = await loadGraph(write("names.csv", '"source","target"\n"1","a","b"\n"2","b","c"\n'));
    expect(quoted.ids).toEqual(["a", "b", "c"]);
    expect(quoted.notes.join("\n")).not.toMatch(/row name/);
  });
});

describe("lists of nodes", () => {
  const idsWith = async (name: string, text: string, options: object = {}) =>
    (await loadGraph(write("pairs.csv", "source,target\na,b\nb,c\n"), { nodes: write(name, text), ...options })).ids;

  test.each([
    ["one column of ids", "n1.csv", "account_id\na\nz\n"],
    ["a column of numbers next to it", "n2.csv", "age,accountId\n4,a\n5,z\n"],
    ["a column of text next to it", "n3.csv", "Account ID,city\na,Rome\nz,Oslo\n"],
  ])("have a column such as account_id: %s", async (_, name, text) => {
    expect(await idsWith(name, text)).toEqual(["a", "b", "c", "z"]);
  });

  test("keep ids that end as account_id does", async () => {
    expect(await idsWith("ends.csv", "x_id\ny_id\n")).toEqual(["a", "b", "c", "x_id", "y_id"]);
  });

  test("have the column that --columns names", async () => {
    const text = "account_id,branch_id\nx,a\ny,z\n";
    expect(await inputError(idsWith("two.csv", text))).toContain(
      "as in --columns node=1, or, if that line is a header,",
    );
    for (const node of ["branch_id", 2]) {
      expect(await idsWith("two.csv", `${text}w,c\n`, { columns: { node } })).toEqual(["a", "b", "c", "z"]);
    }
    expect(await inputError(idsWith("two.csv", text, { columns: { node: "branch" } }))).toContain(
      'two.csv: there is no column "branch" for node. The columns are "account_id", "branch_id".',
    );
    // The name may be meant for the labels.
    const labels = { files: ["labels.csv"] };
    expect(await idsWith("list.txt", "a\nz\n", { columns: { node: "account" }, labels })).toContain("z");
  });
});
