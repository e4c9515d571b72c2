import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { hmgeInProcess, refusalOf } from "./in-process.js";
import { hmge, listFolder, temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** Forty nodes in two groups, five numbers each; one id needs quoting. */
const ids = Array.from({ length: 40 }, (_, i) => (i === 3 ? 'a "b", <c> & d' : `n${i}`));
mkdirSync(at("vectors"));
const rng = new Rng(1, "vectors");
const quote = (text: string) => (/["\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
writeFileSync(
  at("vectors/embeddings.tsv"),
  ids.map((id, i) => [quote(id), ...Array.from({ length: 5 }, () => (i % 2) * 9 + rng.normal())].join("\t")).join("\n"),
);
writeFileSync(
  at("labels.csv"),
  [
    "node,label",
    ...ids.slice(0, 30).map((id, i) => `"${id.replaceAll('"', '""')}",g${i % 2}`),
    "n0,extra",
    "gone,g0",
  ].join("\n"),
);

const refusal = (words: readonly string[]) => refusalOf(["project", ...words]);

describe("hmge project", () => {
  it("writes a table into the folder, the same for any number of threads, and keeps the groups apart", async () => {
    const short = ["--iterations", "300", "--json"];
    const { code, stdout, stderr } = await hmge(["project", at("vectors"), ...short]);
    expect(code).toBe(0);
    expect(stderr).toContain("iteration 300/300");
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ method: "tsne", nodes: 40, from: 5, iterations: 300, stopReason: "iterations" });
    expect(document.perplexity).toBe(13);
    expect(document.divergence).toBeLessThan(document.startDivergence);
    const text = readFileSync(at("vectors/projection.tsv"), "utf8");
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(rows[0]).toEqual(["node", "x", "y"]);
    expect(rows[4][0]).toBe('"a ""b"", <c> & d"');
    const points = rows.slice(1).map(([, x, y]) => [Number(x), Number(y)]);
    const nearest = points.map(([x, y], i) => {
      const away = points.map(([u, v], j) => (j === i ? Infinity : Math.hypot(x - u, y - v)));
      return away.indexOf(Math.min(...away));
    });
    expect(nearest.filter((j, i) => j % 2 === i % 2).length).toBe(40);
    await hmgeInProcess(["project", at("vectors"), ...short, "--threads", "1"]);
    expect(readFileSync(at("vectors/projection.tsv"), "utf8")).toBe(text);
  });

  it("writes labels next to the points and counts the nodes that miss one", async () => {
    const words = [at("vectors/embeddings.tsv"), "--method", "pca", "--labels", at("labels.csv")];
    const { code, stdout, stderr } = await hmgeInProcess(["project", ...words, "--out", at("map.csv")]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/40 nodes to the plane by principal components \(9\d(\.\d)? % and/);
    expect(stderr).toContain("ignored 1 labelled node missing from the embedding");
    expect(stderr).toContain("10 nodes without a label");
    const lines = readFileSync(at("map.csv"), "utf8").split("\n");
    expect(lines[0]).toBe("node,x,y,label");
    expect(lines[1]).toMatch(/^n0,-?[\d.]+,-?[\d.]+,extra;g0$/);
    expect(lines[40]).toMatch(/^n39,.*,$/);
    await hmgeInProcess(["project", ...words, "--out", at("map.json"), "--quiet"]);
    const read = JSON.parse(readFileSync(at("map.json"), "utf8"));
    expect(read).toHaveLength(40);
    expect(read[3]).toMatchObject({ node: ids[3], label: ["g1"] });
    expect(read[39].label).toEqual([]);
    expect(String(read[0].x)).toBe(lines[1].split(",")[1]);
    await hmgeInProcess(["project", at("vectors/embeddings.tsv"), "--method", "pca"]);
    expect(existsSync(at("vectors/embeddings.projection.tsv"))).toBe(true);
  });

  it("reads labels from the column that --columns names", async () => {
    writeFileSync(at("people.csv"), "who,quarter\nn0,north\nn1,south\n");
    const words = ["project", at("vectors"), "--method", "pca", "--labels", at("people.csv"), "--out", at("named.tsv")];
    const { code } = await hmgeInProcess([...words, "--columns", "node=who,label=quarter"]);
    expect(code).toBe(0);
    expect(readFileSync(at("named.tsv"), "utf8")).toContain("north");
  });

  it("draws a picture with a legend, both themes and names", async () => {
    const { code } = await hmgeInProcess([
      "project",
      at("vectors"),
      "--iterations",
      "100",
      "--labels",
      at("labels.csv"),
      "--out",
      at("map.svg"),
    ]);
    expect(code).toBe(0);
    const svg = readFileSync(at("map.svg"), "utf8");
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain("prefers-color-scheme:dark");
    expect(svg).toContain("<title>a &quot;b&quot;, &lt;c&gt; &amp; d · g1</title>");
    expect(svg.match(/h0"><title>/g)).toHaveLength(40);
    for (const name of ["g0", "g1", "extra", "no label"]) expect(svg).toContain(`>${name}</text>`);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("draws the picture as pixels", async () => {
    const words = ["project", at("vectors"), "--method", "pca", "--labels", at("labels.csv"), "--out", at("map.png")];
    const { code } = await hmgeInProcess(words);
    expect(code).toBe(0);
    const png = readFileSync(at("map.png"));
    expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
    expect(png.readUInt32BE(16)).toBe(1920);
  });

  it("projects graphs of one and three nodes", async () => {
    writeFileSync(at("one.tsv"), "only\t1\t2\n");
    writeFileSync(at("three.tsv"), "a\t1\t2\nb\t3\t4\nc\t3\t4\n");
    for (const name of ["one", "three"]) {
      const { code, stdout } = await hmgeInProcess(["project", at(`${name}.tsv`), "--out", at(`${name}.svg`)]);
      expect(code).toBe(0);
      expect(stdout).toContain("too few nodes for t-SNE");
      expect(readFileSync(at(`${name}.svg`), "utf8")).not.toMatch(/NaN|Infinity/);
    }
  });

  it("refuses wrong options and files before it computes", async () => {
    expect(await refusal([])).toContain("expected one, the folder or file");
    expect(await refusal([at("vectors"), "--method", "tsn"])).toContain('did you mean "tsne"?');
    expect(await refusal([at("vectors"), "--perplexity", "0"])).toContain("--perplexity");
    expect(await refusal([at("vectors"), "--method", "pca", "--iterations", "9"])).toContain("pca has no such option");
    expect(await refusal([at("vectors"), "--out", at("map.jpg")])).toContain(".svg, .png");
    writeFileSync(at("taken.svg"), "");
    expect(await refusal([at("vectors"), "--out", at("taken.svg")])).toContain("exists");
    expect(await refusal([at("vectors"), "--out", at("absent/map.svg")])).toContain("does not exist");
    expect(await refusal([at("absent")])).toContain("absent");
    writeFileSync(at("others.csv"), "node,label\nx,1\ny,2\n");
    const otherNodes = [at("vectors"), "--labels", at("others.csv"), "--out", at("no.svg")];
    expect(await refusal(otherNodes)).toContain("none of its 2 nodes is in the embedding");
    writeFileSync(at("bad.tsv"), "node\tv1\na\t1\nb\tNaN\n");
    expect(await refusal([at("bad.tsv")])).toContain("NaN");
    expect(listFolder(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("names the method of a map of few nodes, and removes the map when its vectors are replaced", async () => {
    writeFileSync(at("tiny.csv"), "source,target\na,b\nb,c\n");
    const embed = (...more: string[]) =>
      hmgeInProcess([
        "embed",
        at("tiny.csv"),
        "--out",
        at("tiny"),
        "--dim",
        "4",
        "--epochs",
        "3",
        "--no-report",
        ...more,
      ]);
    expect((await embed()).code).toBe(0);
    expect((await hmgeInProcess(["project", at("tiny"), "--out", at("tiny.svg")])).code).toBe(0);
    expect(readFileSync(at("tiny.svg"), "utf8")).toContain("tiny: principal components");
    expect((await hmgeInProcess(["project", at("tiny")])).code).toBe(0);
    expect(listFolder(at("tiny"))).toContain("projection.tsv");
    expect((await embed("--overwrite", "--seed", "2")).code).toBe(0);
    expect(listFolder(at("tiny"))).toEqual(["embeddings.parquet", "model.safetensors", "run.json"]);
  });

  it("keeps the map made so far when interrupted", async () => {
    const { code, stdout } = await hmge(
      ["project", at("vectors"), "--iterations", "10000000", "--out", at("stopped.tsv"), "--json"],
      // its first line of progress comes after ten seconds
      { onFirstText: (kill) => kill("SIGINT") },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "aborted" });
    expect(readFileSync(at("stopped.tsv"), "utf8").trimEnd().split("\n")).toHaveLength(41);
  });
});
