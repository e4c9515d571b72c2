import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluateLinks as command } from "../../src/cli/evaluate/evaluate-links.js";
import { Rng } from "../../src/core/rng.js";
import { contentHash } from "../../src/graph/content-hash.js";
import { hasEdge } from "../../src/graph/edge-ends.js";
import { holdOutEdges } from "../../src/graph/split.js";
import { loadGraph } from "../../src/io/graph/load-graph.js";
import { documentOf, hmgeInProcess, refusalOf, runCommand } from "./in-process.js";
import { hmge, temporaryFolder, writeSmallGraph } from "./program.js";

const folder = temporaryFolder();
const edges = writeSmallGraph(folder);

interface Scores {
  readonly auc: number;
  readonly averagePrecision: number;
  readonly f1: number;
  readonly hits: number | null;
  readonly positives: number;
}

interface Document {
  readonly training: { readonly graphHash: string; readonly epochs: number } | null;
  readonly relations: readonly { name: string; edges: number; trainingEdges: number }[];
  readonly leaks: Readonly<Record<string, number | null>>;
  readonly notes: readonly string[];
  readonly protocol: { readonly byKind: boolean };
  readonly rows: readonly {
    readonly name: string;
    readonly baseline: boolean;
    readonly mean: Scores;
    readonly pooled: Scores;
    readonly perRelation: readonly (Scores & { relation: string })[];
    readonly withoutLeaks?: { mean: Scores; pooled: Scores };
  }[];
}

const links = async (...words: string[]) => (await documentOf(["evaluate", "links", ...words, "--json"])) as Document;

const refusal = (...words: string[]) => refusalOf(["evaluate", "links", ...words]);

/** Two groups of 20, dense within, nothing between, in two relations; one more relation of two edges. */
function writeGroups(name: string): string {
  const at = join(folder, name);
  mkdirSync(at);
  const rng = new Rng(1, "groups");
  const rows = ["relation\tsource\ttarget"];
  for (const relation of ["near", "far"]) {
    for (let a = 0; a < 40; a++) {
      for (let b = a + 2; b < 40; b += 2) if (rng.uniform() < 0.5) rows.push(`${relation}\tn${a}\tn${b}`);
    }
  }
  rows.push("tiny\tn0\tn2", "tiny\tn1\tn3");
  writeFileSync(join(at, "edges.tsv"), `${rows.join("\n")}\n`);
  return at;
}

const groups = writeGroups("groups");

describe("hmge evaluate links", () => {
  it("trains on the training edges only", async () => {
    const document = await links(edges, "--epochs", "3", "--dim", "8", "--seed", "4");
    const graph = await loadGraph(edges);
    const split = holdOutEdges(graph, { share: 0.1, seed: 4 });
    expect(document.training?.graphHash).toBe(contentHash(split.training));
    expect(document.training?.graphHash).not.toBe(contentHash(graph));
    for (const { source, target, relation } of split.heldOut) {
      source.forEach((a, i) => {
        expect(hasEdge(split.training.relations[relation], a, target[i])).toBe(false);
      });
    }
    expect(document.relations.map(({ trainingEdges }) => trainingEdges)).toEqual(
      split.training.relations.map(({ numEdges }) => numEdges),
    );
    expect(document.leaks).toMatchObject({ sameRelation: 0, falseNegatives: 0 });
    expect(document.rows.slice(0, 4).map(({ name, baseline }) => [name, baseline])).toEqual([
      ["multiview, decoder", false],
      ["multiview, dot", false],
      ["multiview, cosine", false],
      ["degree product", true],
    ]);
  });

  it("scores planted groups: common neighbours predict links, degrees do not", async () => {
    const { rows, notes, training } = await links(groups, "--no-train");
    expect(training).toBeNull();
    const row = (name: string) => rows.find((candidate) => candidate.name === name);
    for (const name of ["common neighbours", "Adamic–Adar", "spectral, cosine", "FastRP, cosine"]) {
      // half of the random non-edges lie within a group, where neighbours cannot distinguish them: 0.75, less noise
      expect(row(name)?.pooled.auc).toBeGreaterThan(0.65);
    }
    expect(row("degree product")?.pooled.auc).toBeLessThan(0.65);
    expect(row("Adamic–Adar")?.perRelation.map(({ relation }) => relation)).toEqual(["far", "near"]);
    expect(notes[0]).toMatch(/^1 relation too small to hold out 10 %, trained on but not scored: "tiny" \(2 edges\)/);
  });

  it("gives the same scores for the same seed, and others for another split", async () => {
    const options = [edges, "--no-train", "--strict", "--negatives", "degree"];
    const [one, same, other] = await Promise.all([
      links(...options),
      links(...options),
      links(...options, "--split-seed", "9"),
    ]);
    const scores = (document: Document) => document.rows.map(({ pooled }) => pooled);
    expect(scores(same)).toEqual(scores(one));
    expect(scores(other)).not.toEqual(scores(one));
    expect(one.leaks).toMatchObject({ sameRelation: 0, otherRelation: 0 });
  });

  it("prints the table, and one per relation when asked", async () => {
    const options = ["--epochs", "2", "--dim", "4", "--hits", "5", "--per-relation", "--quiet"];
    const { code, stdout } = await hmge(["evaluate", "links", edges, ...options]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^score +AUC +AP +F1 +hits@5 +pooled AUC +pooled AP$/m);
    expect(stdout).toMatch(/^multiview, dot +\d+\.\d\d +\d+\.\d\d/m);
    for (const name of ["colleague", "friend", "neighbour"])
      expect(stdout).toMatch(new RegExp(`^${name}  \\d+ edges, `, "m"));
    expect(stdout.match(/Adamic–Adar {2}/g)).toHaveLength(4);
  });

  it("has help with examples", async () => {
    const { code, stdout } = await hmgeInProcess(["evaluate", "links", "--help"]);
    expect(code).toBe(0);
    for (const text of ["--holdout SHARE", "--drop-leaks", "hmge evaluate links edges.csv"])
      expect(stdout).toContain(text);
  });
});

describe("a bipartite graph", () => {
  const header = "relation\tsource\ttarget";
  const write = (name: string, rows: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${[header, ...rows].join("\n")}\n`);
    return path;
  };
  const note = "the graph is bipartite: other pairs are drawn across its two sides.";
  /** 40 users and 40 items in two blocks, half of the pairs within a block in each of two relations. */
  const blocks: string[] = [];
  const rng = new Rng(1, "blocks");
  for (const relation of ["bought", "seen"]) {
    for (let user = 0; user < 40; user++) {
      for (let item = user % 2; item < 40; item += 2) {
        if (rng.uniform() < 0.5) blocks.push(`${relation}\t${user} u\t${item} i`);
      }
    }
  }
  const shop = write("shop.tsv", blocks);
  const auc = ({ rows }: Document, wanted: string) => rows.find(({ name }) => name === wanted)?.pooled.auc;

  it.each(["uniform", "degree"])("is scored against pairs of a user and an item, %s", async (kind) => {
    for (const direction of [[], ["--directed"]]) {
      const document = await links(shop, "--no-train", "--negatives", kind, ...direction);
      expect(document.notes[0]).toBe(note);
      expect(document.protocol).toMatchObject({ negatives: kind, byKind: true });
      // a user and an item have no common neighbour
      expect(document.rows.map(({ name }) => name).filter((name) => /common|Adamic/.test(name))).toEqual([]);
      // two thirds of the non-edges across the sides join the blocks: 0.83, with a noise of 0.03
      if (direction.length === 0) expect(auc(document, "FastRP, cosine")).toBeGreaterThan(0.75);
    }
  });

  it("prints this as a note, and only for bipartite graphs", async () => {
    const { text } = await runCommand(command, [shop, "--no-train"]);
    expect(text).toContain(`note: ${note}`);
    expect(text).toMatch(/as many pairs across the two sides of the graph that are none, drawn uniformly$/m);
    const other = await runCommand(command, [groups, "--no-train"]);
    expect(other.text).not.toContain("sides");
    expect(other.document).toMatchObject({ protocol: { byKind: false } });
  });

  it("is recognised by edges of --pairs too, and draws no pairs if the file has labels 0", async () => {
    const pairs = (name: string, ...rows: string[]) => {
      const path = join(folder, name);
      writeFileSync(path, `${["relation\tsource\ttarget\tlabel", ...rows].join("\n")}\n`);
      return links(shop, "--pairs", path, "--no-train");
    };
    const drawn = await pairs("drawn.tsv", "seen\t0 u\t2 i\t1", "seen\t1 u\t3 i\t1");
    expect([drawn.protocol.byKind, drawn.notes.includes(note)]).toEqual([true, true]);
    const within = await pairs("within.tsv", "seen\t0 u\t2 i\t1", "seen\t1 u\t3 u\t1");
    const labelled = await pairs("labelled.tsv", "seen\t0 u\t2 i\t1", "seen\t1 u\t3 u\t0");
    for (const { protocol, notes } of [within, labelled]) {
      expect([protocol.byKind, notes.includes(note)]).toEqual([false, false]);
    }
  });

  it("reports pairs that are training edges, and refuses --drop-leaks if it leaves none", async () => {
    const path = join(folder, "known.tsv");
    const known = blocks.slice(0, 4).map((row) => `${row}\t1`);
    writeFileSync(path, `${["relation\tsource\ttarget\tlabel", ...known].join("\n")}\n`);
    const { notes } = await links(shop, "--pairs", path, "--no-train");
    expect(notes).toContainEqual(expect.stringContaining("100.0 % of the edges to predict are training edges"));
    expect(await refusal(shop, "--pairs", path, "--drop-leaks")).toContain("every edge to predict is a training edge");
  });

  it("that is nearly complete is refused in one line", async () => {
    const rows = Array.from({ length: 64 }, (_, k) => `likes\tu${k % 8}\ti${k >> 3}`);
    expect(await refusal(write("complete.tsv", rows.slice(3)), "--no-train")).toContain(
      'relation "likes": 3 pairs of the kinds that it joins are not edges; expected 6, as many as are held out.',
    );
    expect((await links(write("nearly.tsv", rows.slice(6)), "--no-train")).rows[0].pooled.positives).toBe(6);
  });
});

describe("pairs of a file", () => {
  const given = writeGroups("given");
  const header = "relation\tsource\ttarget\tlabel\tsplit";
  const write = (name: string, rows: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${[header, ...rows].join("\n")}\n`);
    return path;
  };

  it("are checked for leaks and unknown nodes, and scored with and without the leaks", async () => {
    const graph = await loadGraph(given);
    const near = graph.relations.findIndex(({ name }) => name === "near");
    const { rowStart, columns } = graph.relations[near];
    const id = (node: number) => graph.ids[node];
    const rows: string[] = [];
    // two leaks, reversed; then pairs within a group that are in neither relation, and pairs across
    for (const k of [0, 1]) rows.push(`near\t${id(columns[rowStart[5] + k])}\t${id(5)}\t1\ttest`);
    const shown = (a: number, b: number) => graph.relations.some((relation) => hasEdge(relation, a, b));
    for (let a = 0; a < 40 && rows.length < 10; a++) {
      const b = graph.ids.indexOf(`n${(Number(id(a).slice(1)) + 2) % 40}`);
      if (!shown(a, b)) rows.push(`near\t${id(a)}\t${id(b)}\t1\ttest`);
    }
    const positives = rows.length;
    for (let a = 0; a < 10; a++) rows.push(`near\tn${2 * a}\tn${2 * a + 5}\t0\ttest`);
    rows.push("near\tghost\tn1\t1\ttest", "near\tn1\tn3\t1\tval");
    writeFileSync(join(given, "links.tsv"), `${[header, ...rows].join("\n")}\n`);

    const { leaks, notes, rows: scored } = await links(given, "--pairs", "given", "--drop-leaks", "--no-train");
    expect(leaks).toEqual({ positives, sameRelation: 2, reversed: null, otherRelation: 0, falseNegatives: 0 });
    expect(notes).toEqual([
      expect.stringContaining('1 pair left out, naming 1 node the graph does not have: "ghost".'),
    ]);
    const neighbours = scored.find(({ name }) => name === "common neighbours");
    expect(neighbours?.pooled).toMatchObject({ positives, auc: 1 });
    expect(neighbours?.withoutLeaks?.pooled).toMatchObject({ positives: positives - 2, auc: 1 });
  });

  it("get random negatives when the file has none", async () => {
    const path = write("positives.tsv", ["near\tn0\tn2\t1\ttest", "near\tn4\tn8\t1\ttest"]);
    const { notes, rows } = await links(given, "--pairs", path, "--no-train");
    expect(notes.at(-1)).toContain("no pairs with label 0; as many as there are edges were drawn (uniform)");
    expect(rows[0].pooled).toMatchObject({ positives: 2, negatives: 2 });
  });

  it("that cannot be used are refused in one line", async () => {
    const unknown = write("unknown.tsv", ["near\tx\ty\t1\ttest"]);
    expect(await refusal(given, "--pairs", unknown, "--no-train")).toContain("no pair with label 1 can be scored");
    expect(await refusal(given, "--pairs", unknown, "--split", "tset")).toContain(
      'no rows of split "tset"; expected one of test',
    );
    expect(await refusal(edges, "--pairs", "given")).toContain("--pairs: given, but the source is no dataset folder");
    expect(await refusal(edges, "--pairs", join(folder, "nothing.tsv"))).toContain("no such file or folder");
  });
});

it("a directed graph with edges both ways is scored", async () => {
  const path = join(folder, "both-ways.csv");
  const rows = Array.from({ length: 30 }, (_, i) => `a${i},a${(i + 1) % 30}\na${(i + 1) % 30},a${i}`);
  writeFileSync(path, `source,target\n${rows.join("\n")}\n`);
  const { leaks } = await links(path, "--directed", "--no-train");
  expect(leaks).toMatchObject({ positives: 6, sameRelation: 0, reversed: 0 });
});

it("wrong options and an empty hold-out are refused in one line", async () => {
  expect(await refusal("nowhere.csv", "--holdout", "1")).toContain(
    '--holdout: found "1"; expected number above 0 and below 1.',
  );
  expect(await refusal("nowhere.csv", "--negatives", "degre")).toContain('did you mean "degree"?');
  expect(await refusal("nowhere.csv", "--drop-leaks")).toContain("--drop-leaks: applies to the pairs of --pairs");
  expect(await refusal("nowhere.csv", "--pairs", "given", "--holdout", "0.2")).toContain(
    "--holdout: found together with --pairs",
  );
  expect(await refusal("nowhere.csv", "--pairs", "given", "--strict")).toContain("expected --drop-leaks too");
  const none = await refusal(edges, "--holdout", "0.0001");
  expect(none).toContain("holdout: a share of 0.0001 holds out no edge; ");
});
