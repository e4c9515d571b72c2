/** Makes the instructions of a local program that move rows between ranks. */

import type { CsrPattern } from "../../numeric/csr.js";
import { largestOf } from "../../numeric/extremes.js";
import type { FloatArray } from "../../numeric/rows.js";
import { sliceColumns } from "../ops/columns.js";
import type { ProgramBuilder, Tensor } from "../program.js";
import type { Ranks } from "../ranks.js";
import type { SparseOperator } from "../sparse.js";
import {
  exchangeRows,
  indexRows,
  layRounds,
  MAX_ROUND_ROWS,
  numRounds,
  type SentRows,
} from "./gather/exchange-rows.js";
import { adjacentParts, findHalo, type Halo, localPattern, localRows, type RowSpan, starts } from "./halo.js";
import { hostOp } from "./local-ops.js";
import { type ColumnSlice, columnSlices, MAX_HALO_BYTES } from "./products/column-slices.js";
import { HaloSource } from "./products/halo-source.js";
import { balancedRanges, type RowRanges } from "./row-ranges.js";
import type { ExtendedRows, LocalProduct, LocalTensor } from "./rule.js";

/** Matrices cut to the rows of this rank. */
interface LocalMatrices {
  /** Rows for each node; 0 if this rank computes some rows of a product that is whole on every rank. */
  readonly rowsPerNode: number;
  readonly firstRows: readonly number[];
  /** The rows of this rank. */
  readonly rows: RowSpan;
  /** Ranges of the rows of the source. */
  readonly ranges: RowRanges;
  readonly halo?: Halo;
  /** Undefined if no rank reads rows of others. */
  readonly haloSource?: HaloSource;
  readonly matrices: Map<SparseOperator, SparseOperator>;
  /** The cut pattern and values for each array of columns and values: matrices that differ in their scales alone share them. */
  readonly patterns: Map<Uint32Array, CsrPattern>;
  readonly values: Map<FloatArray, FloatArray>;
}

/** What a permutation sends in this replay, and the row that each own node takes. */
interface Shuffle {
  readonly sent: SentRows;
  readonly taken: Tensor;
}

/** Tests make them small. */
export interface ExchangeLimits {
  /** Largest halo of a product that is kept with its table, in one piece; larger ones are exchanged in slices of columns and released after each product. */
  readonly maxHaloBytes: number;
  /** Largest number of rows that a rank sends at a time. */
  readonly maxRoundRows: number;
}

export const EXCHANGE_LIMITS: ExchangeLimits = { maxHaloBytes: MAX_HALO_BYTES, maxRoundRows: MAX_ROUND_ROWS };

/** Halos, local matrices and shuffles of one local program; each is made once and used by several instructions. */
export class Exchanges {
  readonly #builder: ProgramBuilder;
  readonly #ranks: Ranks;
  readonly #ranges: RowRanges;
  readonly #limits: ExchangeLimits;
  readonly #patternNumbers = new Map<Uint32Array, number>();
  readonly #local = new Map<string, LocalMatrices>();
  /** Shuffles of the segment that is being traced. */
  readonly #shuffles = new Map<string, Shuffle>();

  constructor(builder: ProgramBuilder, ranks: Ranks, ranges: RowRanges, limits: ExchangeLimits) {
    this.#builder = builder;
    this.#ranks = ranks;
    this.#ranges = ranges;
    this.#limits = limits;
  }

  /** Largest number of rows of other ranks that a product of this rank reads, as a number of nodes. */
  get haloRows(): number {
    const { numNodes } = this.#ranges;
    return largestOf(
      [...this.#local.values()].map(({ halo, ranges }) => ((halo?.nodes.length ?? 0) * numNodes) / ranges.numNodes),
      0,
    );
  }

  /** Forgets what instructions of the last segment computed. */
  beginSegment(): void {
    this.#shuffles.clear();
  }

  /** The product of X with some matrices that have the same shape; if the halo is large, in slices of columns. */
  product(matrices: readonly SparseOperator[], x: LocalTensor): LocalProduct {
    const local = this.#localMatrices(matrices, x);
    const maxReceived = local.halo?.maxReceived ?? 0;
    return this.#productOf(matrices, x, local, columnSlices(x.tensor.cols, maxReceived, this.#limits.maxHaloBytes));
  }

  /**
   * As `product`, for a sum over matrices: one product with all of them, or, if their common halo is large, a product for each matrix, in slices
   * of one tile. The halo of one matrix is smaller, and its columns have the same numbers as in other products with this matrix alone.
   */
  productsOfSum(matrices: readonly SparseOperator[], x: LocalTensor): LocalProduct[] {
    if (matrices.length === 1 || this.#fits(x.tensor, this.#localMatrices(matrices, x)))
      return [this.product(matrices, x)];
    const tiles = columnSlices(x.tensor.cols, 1, 0);
    return matrices.map((matrix) => this.#productOf([matrix], x, this.#localMatrices([matrix], x), tiles));
  }

  #productOf(
    matrices: readonly SparseOperator[],
    { tensor: x }: LocalTensor,
    local: LocalMatrices,
    slices: readonly ColumnSlice[],
  ): LocalProduct {
    const { firstRows, rows, rowsPerNode, haloSource } = local;
    const isInPlace = slices.length === 1 && this.#fits(x, local);
    return {
      rowsPerNode,
      firstRows,
      firstEntry: matrices[0].rowStart[rows.first],
      matrices: matrices.map((matrix) => {
        const known = local.matrices.get(matrix) ?? this.#cut(matrix, local);
        local.matrices.set(matrix, known);
        return known;
      }),
      slices: slices.map((slice) => ({
        ...slice,
        source() {
          if (haloSource === undefined) return sliceColumns(x, slice.first, slice.cols);
          return isInPlace ? haloSource.whole(x) : haloSource.slice(x, slice);
        },
      })),
    };
  }

  /** Whether the halo of X is small enough to be kept with X, in one piece; the same on every rank. */
  #fits({ cols }: Tensor, { halo }: LocalMatrices): boolean {
    return cols * (halo?.maxReceived ?? 0) * 4 <= this.#limits.maxHaloBytes;
  }

  /** The rows and the halo of a list of matrices; lists with the same patterns share them. */
  #localMatrices(matrices: readonly SparseOperator[], { rowsPerNode: sourceRowsPerNode }: LocalTensor): LocalMatrices {
    const perNode = matrices[0].numRows / this.#ranges.numNodes;
    const rowsPerNode = Number.isInteger(perNode) ? perNode : 0;
    const numbers = matrices.map(({ columns }) => {
      const number = this.#patternNumbers.get(columns) ?? this.#patternNumbers.size;
      this.#patternNumbers.set(columns, number);
      return number;
    });
    const key = `${numbers.join(",")} ${rowsPerNode} ${sourceRowsPerNode}`;
    const known = this.#local.get(key);
    if (known !== undefined) return known;
    const firstRows = rowsPerNode > 0 ? this.#ranges.times(rowsPerNode).first : this.#sharesOf(matrices[0]);
    const { rank } = this.#ranks;
    const rows = { first: firstRows[rank], end: firstRows[rank + 1] };
    const ranges = this.#ranges.times(Math.max(1, sourceRowsPerNode));
    const halo = sourceRowsPerNode > 0 ? findHalo(matrices, rows, ranges, this.#ranks) : undefined;
    const made = {
      rowsPerNode,
      ranges,
      firstRows,
      rows,
      halo,
      haloSource:
        halo &&
        (this.#ranks.size > 1
          ? new HaloSource(this.#builder, this.#ranks, halo, this.#limits.maxRoundRows)
          : undefined),
      matrices: new Map(),
      patterns: new Map(),
      values: new Map(),
    };
    this.#local.set(key, made);
    return made;
  }

  #cut(matrix: SparseOperator, { rows, ranges, halo, patterns, values }: LocalMatrices): SparseOperator {
    const pattern = patterns.get(matrix.columns) ?? localPattern(matrix, rows, halo);
    patterns.set(matrix.columns, pattern);
    const cut = localRows(matrix, rows, pattern, ranges, halo);
    if (matrix.values === undefined || cut.values === undefined) return cut;
    const shared = values.get(matrix.values) ?? cut.values;
    values.set(matrix.values, shared);
    return { ...cut, values: shared };
  }

  /** Shares of the rows of a matrix without a row per node, by stored entries. */
  #sharesOf({ rowStart }: SparseOperator): readonly number[] {
    const cost = Array.from({ length: rowStart.length - 1 }, (_, i) => 1 + rowStart[i + 1] - rowStart[i]);
    return balancedRanges(cost, 1, this.#ranks.size, this.#ranks.rank).first;
  }

  permuted({ tensor: x }: LocalTensor, forward: Tensor, inverse: Tensor, pairs: boolean): ExtendedRows {
    const key = `${forward.id} ${pairs}`;
    const shuffle = this.#shuffles.get(key) ?? this.#shuffle(forward, inverse, pairs);
    this.#shuffles.set(key, shuffle);
    // not float numbers: there is room for more rows than arrive
    const spec = { own: x.rows, received: this.#ranges.count, dtype: "index" as const };
    const tensor = exchangeRows(this.#builder, this.#ranks, x, shuffle.sent, spec);
    return { tensor, index: shuffle.taken };
  }

  /**
   * Computes at each replay which own rows are sent where. Node i takes the row of node π(i), so the own row of node j goes to the
   * rank of π⁻¹(j), together with the number of that node.
   */
  #shuffle(forward: Tensor, inverse: Tensor, pairs: boolean): Shuffle {
    const ranges = this.#ranges;
    const ranks = this.#ranks;
    const { begin, end, count, size, rank } = ranges;
    const sendCounts = new Array<number>(size).fill(0);
    const receiveCounts = new Array<number>(size).fill(0);
    const [sentNodes, sentRows, receivedNodes] = [0, 1, 2].map(() => new Uint32Array(count));
    const rowOf = (node: number) => (pairs ? 2 * (node - begin) + 1 : node - begin);
    const firstReceived = pairs ? 2 * count : count;
    const mostRows = largestOf(
      ranges.first.slice(1).map((next, r) => next - ranges.first[r]),
      0,
    );
    const rounds = numRounds(mostRows, this.#limits.maxRoundRows);
    const specs = [indexRows(rounds, count, size), count].map((rows) => ({ rows, cols: 1, dtype: "index" as const }));
    const plan = hostOp("planShuffle", specs, ([to, from], [index, taken]) => {
      sendCounts.fill(0);
      receiveCounts.fill(0);
      for (let node = begin; node < end; node++) {
        sendCounts[ranges.ownerOf(from[node])]++;
        receiveCounts[ranges.ownerOf(to[node])]++;
      }
      sendCounts[rank] = 0;
      receiveCounts[rank] = 0;
      const next = starts(sendCounts);
      for (let node = begin; node < end; node++) {
        const owner = ranges.ownerOf(from[node]);
        if (owner === rank) {
          taken[from[node] - begin] = rowOf(node);
          continue;
        }
        const at = next[owner]++;
        sentRows[at] = rowOf(node);
        sentNodes[at] = from[node] - ranges.first[owner];
      }
      layRounds(sentRows, sendCounts, rounds, index);
      ranks.allToAll(adjacentParts(sentNodes, sendCounts), adjacentParts(receivedNodes, receiveCounts));
      const numReceived = receiveCounts.reduce((sum, received) => sum + received, 0);
      for (let k = 0; k < numReceived; k++) taken[receivedNodes[k]] = firstReceived + k;
    });
    const [index, taken] = this.#builder.apply(plan, [forward, inverse], null);
    return { sent: { index, rounds, sendCounts, receiveCounts }, taken };
  }
}
