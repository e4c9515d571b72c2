import { join } from "node:path";
import { expect, test } from "vitest";
import { readNumbers, withDatabase } from "../duckdb.js";
import { temporaryFolder } from "../test-files.js";
import { writeNeighbors } from "./neighbor-file.js";

test("rows of a large Parquet file are in the order of nodes and ranks", async () => {
  // DuckDB's threads may write row groups of 122,880 rows in any order; the file needs several of them to show it.
  const [n, k] = [8000, 80];
  const ids = Array.from({ length: n }, (_, i) => `n${i}`);
  const indices = Uint32Array.from({ length: n * k }, (_, at) => (Math.floor(at / k) + 1 + (at % k)) % n);
  const cosines = Float32Array.from({ length: n * k }, (_, at) => 1 - (at % k) / k);
  const path = join(temporaryFolder().folder, "all.parquet");
  expect(await writeNeighbors(path, { nodes: ids, ids, k, indices, cosines })).toBe(n * k);
  const wrong = await withDatabase((connection) =>
    readNumbers(
      connection,
      `SELECT count_if(node <> concat('n', file_row_number // ${k})), count_if(rank <> file_row_number % ${k} + 1),
         count_if(neighbor <> concat('n', (file_row_number // ${k} + rank) % ${n})), count_if(abs(cosine - 1 + (rank - 1) / ${k}) > 1e-6)
       FROM read_parquet('${path}', file_row_number = true)`,
    ),
  );
  expect(wrong).toEqual([0, 0, 0, 0]);
});
