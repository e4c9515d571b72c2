import { expect, test } from "vitest";
import { vectorsAsNpy, vectorsAsTsv } from "./save-vectors.js";

const vectors = Float32Array.of(1, 2);

test("ids with line breaks are quoted in TSV and refused by NumPy's format, whose ids have one line each", async () => {
  const embedding = { ids: ["two\nlines", "b"], dim: 1, vectors };
  expect(await vectorsAsTsv(embedding).text()).toBe('node\tv1\n"two\nlines"\t1\nb\t2\n');
  expect(() => vectorsAsNpy(embedding)).toThrow(
    'NumPy: the id "two\\nlines" has a line break; expected ids of one line. Save the vectors as TSV.',
  );
  expect(await vectorsAsNpy({ ids: ["a", "b"], dim: 1, vectors }).ids.text()).toBe("a\nb\n");
});
