/**
 * How an op works if tensors with rows of nodes are divided among ranks. Each op has a rule, in its own file. The pass
 * (partition-program.ts) calls the rule once for each instruction.
 *
 * A tensor is either whole on every rank, or divided by rows: every rank holds the rows of its range of nodes, `rowsPerNode` rows
 * for each. A rule appends instructions to the local program, the program of one rank. Together the ranks compute the same bits as
 * the op does on whole tensors.
 */

import type { Op, ProgramBuilder, Tensor } from "../program.js";
import type { Ranks } from "../ranks.js";
import type { SparseOperator } from "../sparse.js";
import type { Consumers } from "./gather/consumers.js";
import type { RowRanges } from "./row-ranges.js";

/** A tensor of the local program. */
export interface LocalTensor {
  readonly tensor: Tensor;
  /** Rows for each node, if the tensor is divided by rows; 0 if it is whole on every rank. */
  readonly rowsPerNode: number;
  /** Both forms of a tensor that needs no exchange to be whole, such as a constant; each is made when a rule asks for it. */
  readonly tensors?: BothForms;
}

export interface BothForms {
  /** Shape of the whole tensor. */
  readonly rows: number;
  readonly cols: number;
  whole(): Tensor;
  /** The rows of this rank. */
  own(rowsPerNode: number): Tensor;
}

/** Rows of other ranks, stored after the own rows of a tensor. */
export interface ExtendedRows {
  /** The own rows, then rows of other ranks; it shares the storage of the tensor. */
  readonly tensor: Tensor;
  /** For each own row of a permutation the row of `tensor` that it takes. */
  readonly index: Tensor;
}

/** A table with the rows that this rank needs for its places. */
export interface FetchedRows {
  /** The own rows, then rows of other ranks; it shares the storage of the table. */
  readonly source: Tensor;
  /** The indices into `source`, in the shape of the indices into the table; only entries of own places are valid. */
  readonly indices: readonly Tensor[];
}

/** Columns `first` to `first + cols` of the source of a product. */
export interface SourceSlice {
  readonly first: number;
  readonly cols: number;
  /** Appends the instructions that make it; whole, or the own rows and the rows of other ranks that the matrices read. */
  source(): Tensor;
}

/** Sparse matrices cut to the rows of one rank. */
export interface LocalProduct {
  readonly matrices: readonly SparseOperator[];
  /** Sources of all columns of the product, in order. A large product is computed slice by slice. */
  readonly slices: readonly SourceSlice[];
  /** Rows of the product for each node; 0 if this rank computes some rows of a result that is whole on every rank. */
  readonly rowsPerNode: number;
  /** First row of the product that each rank computes; at last the number of rows. */
  readonly firstRows: readonly number[];
  /** Number of the first stored entry of those rows in the whole first matrix. */
  readonly firstEntry: number;
}

/** The tensors of one instruction, and the exchanges that its rule can use. */
export interface PartitionContext {
  /** The inputs in the local program. */
  readonly inputs: readonly LocalTensor[];
  /** The outputs of the instruction in the whole program. */
  readonly outputs: readonly Tensor[];
  readonly builder: ProgramBuilder;
  readonly ranks: Ranks;
  readonly ranges: RowRanges;
  /** Rows of the whole tensor. */
  wholeRows(input: LocalTensor): number;
  /** The tensor whole on every rank: rows of other ranks are gathered if it is divided. */
  whole(input: LocalTensor): Tensor;
  /** The rows of this rank. */
  own(input: LocalTensor, rowsPerNode: number): Tensor;
  /** The rows of a divided table that this rank needs for its places; the indices are whole. */
  fetch(x: LocalTensor, indices: readonly Tensor[], consumers: Consumers): FetchedRows;
  /** The rows of a divided table that a whole index names, whole on every rank. */
  gather(x: LocalTensor, index: Tensor): Tensor;
  /** Throws UnsupportedError unless the condition holds: the op cannot work on tensors that are divided like this. */
  require(condition: boolean): void;
  /** The matrices and the source of a sparse product on this rank; rows of other ranks are fetched. */
  product(matrices: readonly SparseOperator[], x: LocalTensor): LocalProduct;
  /** As `product`, for a sum over matrices: one product with all matrices, or one for each, all with the same slices of one tile. */
  productsOfSum(matrices: readonly SparseOperator[], x: LocalTensor): LocalProduct[];
  /**
   * The rows π(i) of X for the own i; with `pairs` X has two rows per node, and the rows 2·π(i)+1 are meant. `forward` and
   * `inverse` are whole on every rank.
   */
  permuted(x: LocalTensor, forward: LocalTensor, inverse: LocalTensor, pairs: boolean): ExtendedRows;
}

/** One instruction, as its rule sees it. */
export interface PartitionCall<A> extends PartitionContext {
  readonly op: Op<A>;
  readonly attributes: A;
}

// declared here, not in program.ts, because this file needs the types of that one
declare module "../program.js" {
  interface Op<A> {
    /** How the op works if tensors with rows of nodes are divided among ranks; without a rule it needs whole tensors. */
    readonly partition?: PartitionRule<A>;
  }
}

/** The rule of an op. */
export interface PartitionRule<A> {
  /** Appends instructions for the op to the local program; returns its outputs there. */
  lower(call: PartitionCall<A>): LocalTensor[];
  /** Rows of the first input in a chunk with a partial sum of its own, if the op sums over rows. Ranges end where chunks end. */
  chunkRows?(inputs: readonly Shape[], outputs: readonly Shape[]): number;
}

export interface Shape {
  readonly rows: number;
  readonly cols: number;
}
