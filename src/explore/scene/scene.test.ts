import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { InputError, multiplexFromEdges, type TrainedDecoder } from "../../index.js";
import { buildScene, decoderVectors, neighboursOf, type SceneInput } from "./build-scene.js";
import { openScene, type SceneSource } from "./open-scene.js";
import { embeddedSource, memorySource, PART_TYPE } from "./scene-sources.js";

/** Ids that a page must show as text. */
const HOSTILE = ["</script><img src=x onerror=alert(1)>", "a\nb", "quote\"'`", "🦊", "‮rtl", "\ufeffmark"].sort();

const graph = multiplexFromEdges({
  source: [HOSTILE[0], HOSTILE[1], HOSTILE[3], HOSTILE[3], HOSTILE[4]],
  target: [HOSTILE[1], HOSTILE[2], HOSTILE[4], HOSTILE[5], HOSTILE[5]],
  relation: ["plain", "plain", "heavy", "heavy", "heavy"],
  weight: [1, 1, 2, 3, 0.5],
});
const n = graph.numNodes;
const random = (length: number) => Float32Array.from({ length }, (_, i) => Math.sin(1 + i * i));
const embedding = { ids: graph.ids, dim: 3, vectors: random(3 * n) };
const decoder: TrainedDecoder = {
  score: "dot",
  directed: true,
  vectors: (r) => ({
    source: { ...embedding, dim: 2, vectors: random(2 * n) },
    ...(r === 0 ? {} : { target: { ...embedding, dim: 2, vectors: random(2 * n).map((value) => -value) } }),
  }),
};
const input: SceneInput = {
  program: "1.2.3",
  title: "town",
  model: "multiview",
  seed: 7,
  embedding,
  facets: [{ name: "infomax", width: 3, doc: "Learned." }],
  maps: [{ name: "t-SNE", positions: Float32Array.from([1, 2, Number.NaN, Number.NaN, ...random(2 * n - 4)]) }],
  attributes: [
    { name: "quarter", kind: "category", categories: ["north", "south"], codes: Int32Array.of(0, 1, -1, 0, 1, -1) },
    { name: "degree", kind: "number", doc: "Edges.", fromVectors: false, values: random(n) },
  ],
  graph,
  decoder,
  notes: ["a note"],
};

describe("a scene", () => {
  test("has after encoding and decoding what it was built from", async () => {
    const scene = await openScene(memorySource(buildScene(input)));
    expect(scene.ids).toEqual(graph.ids);
    expect([...graph.ids].sort()).toEqual([...HOSTILE].sort());
    expect(scene.maps).toEqual(input.maps);
    expect(scene.attributes).toEqual(input.attributes);
    expect(await scene.vectors()).toEqual(embedding.vectors);
    expect(scene.header).toEqual({
      format: 1,
      program: "1.2.3",
      title: "town",
      numNodes: n,
      dim: 3,
      model: "multiview",
      seed: 7,
      facets: [{ name: "infomax", width: 3, doc: "Learned." }],
      maps: ["t-SNE"],
      relations: graph.relations.map(({ name, numEdges, values }) => ({
        name,
        numEdges,
        weighted: values !== undefined,
      })),
      directed: false,
      attributes: [
        { name: "quarter", kind: "category", categories: ["north", "south"] },
        { name: "degree", kind: "number", doc: "Edges.", fromVectors: false },
      ],
      decoder: "dot",
      notes: ["a note"],
    });
    for (const [r, { rowStart, columns, values }] of graph.relations.entries()) {
      const adjacency = await scene.adjacency(r);
      expect([...adjacency.rowStart]).toEqual([...rowStart]);
      expect([...adjacency.columns]).toEqual([...columns]);
      expect(adjacency.weights).toEqual(values === undefined ? undefined : Float32Array.from(values));
    }
    const [symmetric, ends] = [await scene.decoder(0), await scene.decoder(1)];
    expect(symmetric).toEqual({ width: 2, source: random(2 * n), target: random(2 * n) });
    expect(symmetric?.target).toBe(symmetric?.source);
    expect(ends?.target).toEqual(random(2 * n).map((value) => -value));
    await expect(scene.adjacency(2)).rejects.toThrow("scene: found relation 2; expected 0 to 1.");
  });

  test("without edges has no relations and no decoder", async () => {
    const scene = await openScene(memorySource(buildScene({ ...input, graph: undefined })));
    expect([scene.header.relations, scene.header.decoder]).toEqual([[], undefined]);
    expect(() => buildScene({ ...input, graph: { ...graph, ids: ["other"] } })).toThrow(/6 nodes and a graph of 1/);
  });

  test("reads a lazy part once, and again after a failure", async () => {
    const source = memorySource(buildScene(input));
    const asked: string[] = [];
    let broken = true;
    const scene = await openScene({
      header: source.header,
      part: async (name) => {
        asked.push(name);
        if (broken && name === "vectors") throw new Error("no answer");
        return source.part(name);
      },
    });
    await expect(scene.vectors()).rejects.toThrow("no answer");
    broken = false;
    expect(await scene.vectors()).toBe(await scene.vectors());
    expect(asked.filter((name) => name === "vectors")).toHaveLength(2);
    await Promise.all([scene.adjacency(1), scene.adjacency(1)]);
    expect(asked.filter((name) => name === "adjacency.1")).toHaveLength(1);
  });
});

describe("damaged data", () => {
  /** A source whose part of this name is changed, as words of four bytes. */
  const changed = (name: string, change: (words: Uint32Array<ArrayBuffer>) => unknown) => {
    const source = memorySource(buildScene(input));
    return {
      header: source.header,
      part: async (asked: string) => {
        const part = await source.part(asked);
        if (asked !== name) return part;
        const words = new Uint32Array(part);
        const result = change(words);
        return (result instanceof Uint32Array ? result : words).slice().buffer;
      },
    } satisfies SceneSource;
  };
  const openAll = async (source: SceneSource) => {
    const scene = await openScene(source);
    await Promise.all([scene.vectors(), scene.adjacency(1), scene.decoder(1)]);
  };

  test.each(["ids", "map.0", "attribute.0", "attribute.1", "vectors", "adjacency.1", "decoder.1"])(
    "in part %s is refused in one line",
    async (name) => {
      await expect(openAll(changed(name, () => {}))).resolves.toBeUndefined();
      for (const change of [
        (words: Uint32Array<ArrayBuffer>) => words.subarray(0, -1),
        () => new Uint32Array(0),
        (words: Uint32Array<ArrayBuffer>) => void (words[0] += 7),
        (words: Uint32Array<ArrayBuffer>) => void (words[1] -= 8),
        (words: Uint32Array<ArrayBuffer>) => void (words[1] = 0xffffffff),
      ]) {
        await expect(openAll(changed(name, change))).rejects.toThrow(
          new RegExp(`^scene: part ${name.replace(".", "\\.")} is damaged: found [^\\n]*; expected [^\\n]*\\.$`),
        );
      }
    },
  );

  test("with values out of range is refused", async () => {
    const last = (value: number) => (words: Uint32Array) => void (words[words.length - 1] = value);
    await expect(openAll(changed("attribute.0", last(2)))).rejects.toThrow("found category 2; expected -1 to 1");
    const column = (words: Uint32Array) => void (words[4 + n + 1] = n);
    await expect(openAll(changed("adjacency.1", column))).rejects.toThrow(`found node ${n}; expected 0 to ${n - 1}`);
    const offset = (words: Uint32Array) => void (words[3 + 1] = 1e6);
    await expect(openAll(changed("ids", offset))).rejects.toThrow("expected ascending offsets");
  });

  test("in the text of an embedded header is refused in one line", async () => {
    const page = (header: string) => {
      const content = deflateRawSync(header).toString("base64");
      const part: Readonly<Record<string, string>> = { type: PART_TYPE, "data-scene": "0", "data-part": "header" };
      const element = { textContent: content, getAttribute: (name: string) => part[name] ?? null };
      return { querySelectorAll: () => [element] } as never as ParentNode;
    };
    await expect(openScene(embeddedSource(page('{"format": 1,')))).rejects.toThrow(
      new InputError("scene: the header is damaged: found other text; expected JSON. Make the page again."),
    );
    await expect(openScene(embeddedSource(page("null")))).rejects.toThrow("scene: the header has format none");
  });

  test("in the header is refused with the field at fault", async () => {
    const source = memorySource(buildScene(input));
    const open = (change: object) =>
      openScene({ ...source, header: async () => ({ ...(await source.header()), ...change }) });
    await expect(open({ format: 2 })).rejects.toThrow("scene: the header has format 2; expected 1.");
    await expect(open({ maps: "t-SNE" })).rejects.toThrow('"maps" is missing or has another type');
    await expect(open({ facets: [{ name: "x", width: 3, doc: 1 }] })).rejects.toThrow('"facets" is missing');
    await expect(open({ attributes: [{ name: "x", kind: "category" }] })).rejects.toThrow('"attributes" is missing');
    for (const origin of [{ doc: 1 }, { fromVectors: "yes" }]) {
      await expect(open({ attributes: [{ name: "x", kind: "number", ...origin }] })).rejects.toThrow('"attributes"');
    }
    await expect(open({ numNodes: n + 1 })).rejects.toThrow(/^scene: part ids is damaged/);
  });
});

test("the neighbours of a directed relation are those of both directions, weights of opposite edges added", () => {
  const directed = multiplexFromEdges(
    { source: ["a", "b", "c"], target: ["b", "a", "a"], weight: [1, 10, 100] },
    { directed: true },
  );
  const adjacency = neighboursOf(directed.relations[0], true);
  expect([...adjacency.rowStart]).toEqual([0, 2, 3, 4]);
  expect([...adjacency.columns]).toEqual([1, 2, 0, 0]);
  expect([...(adjacency.weights ?? [])]).toEqual([11, 100, 11, 100]);
  expect([...(adjacency.directions ?? [])]).toEqual([3, 2, 3, 1]);
});

test("directions survive encoding and decoding, with and without weights", async () => {
  for (const weight of [undefined, [1, 10, 100]]) {
    const edges = { source: ["a", "b", "c"], target: ["b", "a", "a"], ...(weight && { weight }) };
    const directed = multiplexFromEdges(edges, { directed: true });
    const embedding = { ids: directed.ids, dim: 1, vectors: new Float32Array(3) };
    const bare = { program: "", title: "", model: "", seed: 0, maps: [] };
    const scene = await openScene(memorySource(buildScene({ ...bare, embedding, graph: directed })));
    const { directions, weights } = await scene.adjacency(0);
    expect([[...(directions ?? [])], weights?.length]).toEqual([[3, 2, 3, 1], weight && 4]);
  }
});

test.each(["dot", "cosine"] as const)("a decoder without directions (%s) averages both orders of a pair", (score) => {
  const [s, t] = [random(2 * n), random(2 * n + 1).subarray(1)];
  const row = (vectors: Float32Array, i: number, width: number) => vectors.subarray(i * width, (i + 1) * width);
  const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, k) => sum + value * b[k], 0);
  const pair = (a: Float32Array, b: Float32Array) =>
    score === "dot" ? product(a, b) : product(a, b) / Math.sqrt(product(a, a) * product(b, b));
  const undirected: TrainedDecoder = {
    score,
    directed: false,
    vectors: () => ({ source: { ...embedding, dim: 2, vectors: s }, target: { ...embedding, dim: 2, vectors: t } }),
  };
  const { width, source, target } = decoderVectors(undirected, 0);
  const expected = (pair(row(s, 1, 2), row(t, 4, 2)) + pair(row(s, 4, 2), row(t, 1, 2))) / 2;
  // float32 vectors
  expect(pair(row(source, 1, width), row(target, 4, width))).toBeCloseTo(expected, 6);
});

test("a decoder whose source columns are multiples of the target columns keeps its width", () => {
  const t = random(2 * n);
  const made = (factors: readonly number[], change = 0): TrainedDecoder => {
    const s = t.map((value, k) => value * factors[k % 2] + (k === 5 ? change : 0));
    const ends = { source: { ...embedding, dim: 2, vectors: s }, target: { ...embedding, dim: 2, vectors: t } };
    return { score: "dot", directed: false, vectors: () => ends };
  };
  expect(decoderVectors(made([-2, 0]), 0).width).toBe(2);
  expect(decoderVectors(made([-2, 0], 0.01), 0).width).toBe(4);
});
