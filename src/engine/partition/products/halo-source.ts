/** The source of a sparse product on one rank: the own rows of a table, then the rows of other ranks that the product reads. */

import { sliceColumnsOp } from "../../ops/columns.js";
import type { ProgramBuilder, Tensor } from "../../program.js";
import type { Ranks } from "../../ranks.js";
import { exchangeRows, indexRows, layRounds, numRounds, type SentRows } from "../gather/exchange-rows.js";
import type { Halo } from "../halo.js";
import { partOp } from "../local-ops.js";
import { type ColumnSlice, wordRows } from "./column-slices.js";

/** Makes sources with the rows of one halo. */
export class HaloSource {
  readonly #builder: ProgramBuilder;
  readonly #ranks: Ranks;
  readonly #halo: Halo;
  readonly #maxRoundRows: number;
  #sent?: SentRows;

  /** `maxRoundRows`: largest number of rows that a rank sends at a time. */
  constructor(builder: ProgramBuilder, ranks: Ranks, halo: Halo, maxRoundRows: number) {
    this.#builder = builder;
    this.#ranks = ranks;
    this.#halo = halo;
    this.#maxRoundRows = maxRoundRows;
  }

  /** X and its halo in the storage of X: the halo stays in memory as long as X does. */
  whole(x: Tensor): Tensor {
    return this.#exchange(x, x.rows);
  }

  /** A slice of X and its halo in storage of their own. */
  slice(x: Tensor, { first, cols }: ColumnSlice): Tensor {
    const rows = x.rows + this.#halo.nodes.length;
    // not float numbers before all rows are there: a search for values that are not finite would read the missing ones
    const copy = partOp(sliceColumnsOp, [{ rows, cols, dtype: "index" }], ([from], [to]) => ({
      phase: "run",
      outputs: [{ tensor: to, rows: x.rows, cols, firstRow: 0 }],
      inputs: [wordRows(from)],
    }));
    const [source] = this.#builder.apply(copy, [x], { start: first, count: cols });
    return this.#exchange(source, x.rows);
  }

  #exchange(table: Tensor, own: number): Tensor {
    this.#sent ??= this.#sentRows();
    const spec = { own, received: this.#halo.nodes.length, dtype: "float" as const };
    return exchangeRows(this.#builder, this.#ranks, table, this.#sent, spec);
  }

  #sentRows(): SentRows {
    const { sendIndex, sendCounts, receiveCounts, maxSent } = this.#halo;
    const rounds = numRounds(maxSent, this.#maxRoundRows);
    const index = new Uint32Array(indexRows(rounds, sendIndex.length, this.#ranks.size));
    layRounds(sendIndex, sendCounts, rounds, index);
    return {
      index: this.#builder.constant(index, index.length, 1, "index"),
      rounds,
      sendCounts,
      receiveCounts,
    };
  }
}
