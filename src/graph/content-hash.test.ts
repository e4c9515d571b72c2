import { expect, test } from "vitest";
import { contentHash, WordHash } from "./content-hash.js";
import { multiplexFromEdges } from "./multiplex-from-edges.js";

const features = (value: number) => ({
  names: ["f"],
  numColumns: 1,
  rowStart: Uint32Array.of(0, 1, 1, 1),
  columns: Uint32Array.of(0),
  values: Float32Array.of(value),
});

test("every part of the content changes the hash", () => {
  const base = { source: ["a", "b"], target: ["b", "c"], relation: ["r", "s"], weight: [1, 2] };
  const hashes = [
    multiplexFromEdges(base),
    multiplexFromEdges(base, { directed: true }),
    multiplexFromEdges(base, { nodes: ["d"] }),
    multiplexFromEdges({ ...base, target: ["b", "d"] }),
    multiplexFromEdges({ ...base, relation: ["r", "t"] }),
    multiplexFromEdges({ ...base, relation: ["s", "r"] }),
    multiplexFromEdges({ ...base, weight: [1, 2.0000002384185791] }),
    multiplexFromEdges({ ...base, weight: undefined }),
    multiplexFromEdges({ ...base, source: ["ab", "b"] }),
    { ...multiplexFromEdges(base), features: features(1) },
    { ...multiplexFromEdges(base), features: features(2) },
  ].map(contentHash);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(contentHash(multiplexFromEdges({ ...base }))).toBe(hashes[0]);
});

test("adding words one by one or as arrays gives the same hash at every alignment", () => {
  const words = Uint32Array.from({ length: 23 }, (_, i) => Math.imul(i + 1, 0x9e3779b9));
  const whole = new WordHash();
  whole.words(words);
  const expected = whole.digest();
  for (let cut = 0; cut <= 23; cut++) {
    const hash = new WordHash();
    hash.words(words.subarray(0, cut));
    for (const word of words.subarray(cut)) hash.word(word);
    expect(hash.digest()).toBe(expected);
  }
  // The finaliser maps all-zero state to zero: MurmurHash3's published answer for no input and seed 0.
  expect(new WordHash().digest()).toBe("0".repeat(32));
});
