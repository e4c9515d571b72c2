/** Makes the instructions of a local program that move rows between ranks. */

import type { CsrPattern } from "../../numeric/csr.js";
import { largestOf } from "../../numeric/extremes.js";
import type { FloatArray } from "../../numeric/rows.js";
import { gatherRows } from "../ops/gather-rows.js";
import type { ProgramBuilder, Tensor } from "../program.js";
import type { Ranks } from "../ranks.js";
import type { SparseOperator } from "../sparse.js";
import { exchangeRows } from "./gather/exchange-rows.js";
import { adjacentParts, findHalo, type Halo, localPattern, localRows, type RowSpan, starts } from "./halo.js";
import { hostOp } from "./local-ops.js";
import { balancedRanges, type RowRanges } from "./row-ranges.js";
import type { ExtendedRows, LocalProduct, LocalTensor } from "./rule.js";

/** Matrices cut to the rows of this rank. */
interface LocalMatrices {
  readonly firstRows: readonly number[];
  /** The rows of this rank. */
  readonly rows: RowSpan;
  /** Ranges of the rows of the source. */
  readonly ranges: RowRanges;
  readonly halo?: Halo & { readonly index: Tensor };
  readonly matrices: Map<SparseOperator, SparseOperator>;
  /** The cut pattern and values for each array of columns and values: matrices that differ in their scales alone share them. */
  readonly patterns: Map<Uint32Array, CsrPattern>;
  readonly values: Map<FloatArray, FloatArray>;
}

/** What a permutation sends and receives in this replay. */
interface Shuffle {
  readonly sendIndex: Tensor;
  readonly index: Tensor;
  readonly sendCounts: number[];
  readonly receiveCounts: number[];
}

/** Halos, local matrices and shuffles of one local program; each is made once and used by several instructions. */
export class Exchanges {
  readonly #builder: ProgramBuilder;
  readonly #ranks: Ranks;
  readonly #ranges: RowRanges;
  readonly #patternNumbers = new Map<Uint32Array, number>();
  readonly #local = new Map<string, LocalMatrices>();
  /** Shuffles of the segment that is being traced. */
  readonly #shuffles = new Map<string, Shuffle>();

  constructor(builder: ProgramBuilder, ranks: Ranks, ranges: RowRanges) {
    this.#builder = builder;
    this.#ranks = ranks;
    this.#ranges = ranges;
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

  product(matrices: readonly SparseOperator[], x: LocalTensor): LocalProduct {
    const perNode = matrices[0].numRows / this.#ranges.numNodes;
    const rowsPerNode = Number.isInteger(perNode) ? perNode : 0;
    const local = this.#localMatrices(matrices, rowsPerNode, x.rowsPerNode);
    const { firstRows, rows, halo } = local;
    return {
      rowsPerNode,
      firstRows,
      firstEntry: matrices[0].rowStart[rows.first],
      matrices: matrices.map((matrix) => {
        const known = local.matrices.get(matrix) ?? this.#cut(matrix, local);
        local.matrices.set(matrix, known);
        return known;
      }),
      source: halo === undefined ? x.tensor : this.#withHalo(x.tensor, halo),
    };
  }

  /** The rows and the halo of a list of matrices; lists with the same patterns share them. */
  #localMatrices(matrices: readonly SparseOperator[], rowsPerNode: number, sourceRowsPerNode: number): LocalMatrices {
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
      ranges,
      firstRows,
      rows,
      halo: halo && { ...halo, index: this.#indexOf(halo) },
      matrices: new Map(),
      patterns: new Map(),
      values: new Map(),
    };
    this.#local.set(key, made);
    return made;
  }

  #indexOf({ sendIndex }: Halo): Tensor {
    return this.#builder.constant(sendIndex, sendIndex.length, 1, "index");
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

  /** The own rows of X, followed by its halo. */
  #withHalo(x: Tensor, { index, sendCounts, receiveCounts, nodes }: Halo & { readonly index: Tensor }): Tensor {
    const counts = { sendCounts, receiveCounts };
    return exchangeRows(this.#builder, this.#ranks, x, gatherRows(x, index), nodes.length, counts);
  }

  permuted({ tensor: x }: LocalTensor, forward: Tensor, inverse: Tensor, pairs: boolean): ExtendedRows {
    const key = `${forward.id} ${pairs}`;
    const shuffle = this.#shuffles.get(key) ?? this.#shuffle(forward, inverse, pairs);
    this.#shuffles.set(key, shuffle);
    const sent = gatherRows(x, shuffle.sendIndex);
    const tensor = exchangeRows(this.#builder, this.#ranks, x, sent, this.#ranges.count, shuffle);
    return { tensor, index: shuffle.index };
  }

  /**
   * Computes at each replay which own rows are sent where. Node i takes the row of node π(i), so the own row of node j goes to the
   * rank of π⁻¹(j), together with the number of that node.
   */
  #shuffle(forward: Tensor, inverse: Tensor, pairs: boolean): Shuffle {
    const ranges = this.#ranges;
    const ranks = this.#ranks;
    const { begin, end, count, size } = ranges;
    const sendCounts = new Array<number>(size).fill(0);
    const receiveCounts = new Array<number>(size).fill(0);
    const sentNodes = new Uint32Array(count);
    const receivedNodes = new Uint32Array(count);
    const firstReceived = pairs ? 2 * count : count;
    const spec = { rows: count, cols: 1, dtype: "index" as const };
    const plan = hostOp("planShuffle", [spec, spec], ([to, from], [sendIndex, index]) => {
      sendCounts.fill(0);
      receiveCounts.fill(0);
      for (let node = begin; node < end; node++) {
        sendCounts[ranges.ownerOf(from[node])]++;
        receiveCounts[ranges.ownerOf(to[node])]++;
      }
      const next = starts(sendCounts);
      for (let node = begin; node < end; node++) {
        const rank = ranges.ownerOf(from[node]);
        const at = next[rank]++;
        const row = node - begin;
        sendIndex[at] = pairs ? 2 * row + 1 : row;
        sentNodes[at] = from[node] - ranges.first[rank];
      }
      ranks.allToAll(adjacentParts(sentNodes, sendCounts), adjacentParts(receivedNodes, receiveCounts));
      for (let k = 0; k < count; k++) index[receivedNodes[k]] = firstReceived + k;
    });
    const [sendIndex, index] = this.#builder.apply(plan, [forward, inverse], null);
    return { sendIndex, index, sendCounts, receiveCounts };
  }
}
