import { describe, expect, it } from "vitest";
import { findNodes, similarId } from "./find-nodes.js";

describe("findNodes", () => {
  it("returns the indices of the nodes", () => {
    expect(findNodes(["a", "b", "c"], ["c", "a"], "here")).toEqual([2, 0]);
  });

  it("suggests a similar id for an unknown one, or shows an example", () => {
    expect(() => findNodes(["TP53", "BRCA1"], ["BRAC1"], "here")).toThrow('did you mean "BRCA1"?');
    expect(() => findNodes(["alpha", "beta"], ["gamma ray"], "here")).toThrow('ids look like "alpha"');
  });
});

describe("similarId", () => {
  it("finds another case, a beginning, and a few changed letters", () => {
    expect(similarId(["TP53", "BRCA1"], "tp53")).toBe("TP53");
    expect(similarId(["TP53", "BRCA1"], "BRAC1")).toBe("BRCA1");
    expect(similarId(["9606.ENSP01", "x"], "9606")).toBe("9606.ENSP01");
    expect(similarId(["Q", "A"], "q")).toBe("Q");
  });

  it("suggests no id that has little in common with the unknown one", () => {
    expect(similarId(["A", "B", "C"], "Q")).toBeUndefined();
    expect(similarId(["A1", "B2"], "Q")).toBeUndefined();
    expect(similarId(["n1", "n2"], "m7")).toBeUndefined();
    expect(similarId(["abc", "xyz"], "xbq")).toBeUndefined();
    expect(similarId(["abc", "xyz"], "abq")).toBe("abc");
  });

  it("finds an id among more ids than it compares letter by letter", () => {
    const ids = Array.from({ length: 100_000 }, (_, i) => `protein${i}`);
    expect(similarId(ids, "protien77")).toMatch(/^protein/);
  });
});
