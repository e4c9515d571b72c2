/**
 * Loss terms of training labels.
 *
 * The label kernel K = Y·Yᵀ (Y: one row per node, one column per class, rows of training nodes only) is n × n and never
 * formed: with Δ = diag(K·1), class sizes n_c and class means m_c
 *   tr(Pᵀ(Δ − K)P) = Σ_c n_c·Σ_{i∈c} ‖p_i‖² − Σ_c ‖Σ_{i∈c} p_i‖² = Σ_c n_c·Σ_{i∈c} ‖p_i − m_c‖²,
 * and the last form has no large sums that cancel.
 */

import { add, bceLogits, rowDots, scaleRows, softmaxCrossEntropy, spmm, sumRows } from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import type { LabelInput } from "../../nn/model.js";

export interface LabelTerms {
  readonly numClasses: number;
  /** Whether some node has several classes. */
  readonly multiLabel: boolean;
  /** Selects the training nodes from all nodes, [t, n]. */
  readonly nodes: SparseOperator;
  /** Classes of the training nodes, [t, classes]. */
  readonly targets: Tensor;
  /** Row e selects node i of label e, which is a pair (i, c), [labels, n]. */
  readonly members: SparseOperator;
  /** Averages the rows of each class, [classes, labels]. */
  readonly means: SparseOperator;
  /** Selects the class of each label, [labels, classes]. */
  readonly classes: SparseOperator;
  /** √n_c, [labels, 1]. */
  readonly roots: Tensor;
}

/** Undefined if no node has a label. */
export function labelTerms(
  labels: LabelInput | undefined,
  numNodes: number,
  builder: ProgramBuilder,
): LabelTerms | undefined {
  if (labels === undefined || labels.columns.length === 0) return undefined;
  const { numClasses, rowStart, columns } = labels;
  const trained: number[] = [];
  const owner = new Uint32Array(columns.length);
  for (let i = 0; i < numNodes; i++) {
    if (rowStart[i + 1] > rowStart[i]) trained.push(i);
    owner.fill(i, rowStart[i], rowStart[i + 1]);
  }
  const targets = new Float32Array(trained.length * numClasses);
  trained.forEach((i, row) => {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) targets[row * numClasses + columns[e]] = 1;
  });
  const ofClass = Array.from({ length: numClasses }, (): number[] => []);
  columns.forEach((c, e) => {
    ofClass[c].push(e);
  });
  return {
    numClasses,
    multiLabel: trained.length < columns.length,
    nodes: selection(Uint32Array.from(trained), numNodes),
    targets: builder.constant(targets, trained.length, numClasses),
    members: selection(owner, numNodes),
    means: {
      numRows: numClasses,
      numColumns: columns.length,
      rowStart: startsOf(ofClass),
      columns: Uint32Array.from(ofClass.flat()),
      left: Float64Array.from(ofClass, ({ length }) => (length === 0 ? 0 : 1 / length)),
      diagonal: 0,
      symmetric: false,
    },
    classes: selection(columns, numClasses),
    roots: builder.constant(
      Float64Array.from(columns, (c) => Math.sqrt(ofClass[c].length)),
      columns.length,
      1,
    ),
  };
}

/** A matrix whose product with X has row `places[e]` of X as row e. */
function selection(places: Uint32Array, numColumns: number): SparseOperator {
  const rowStart = Uint32Array.from({ length: places.length + 1 }, (_, e) => e);
  return { numRows: places.length, numColumns, rowStart, columns: places, diagonal: 0, symmetric: false };
}

/** tr(Pᵀ(Δ − K)P), 1 × 1: squared distances between rows of the same class. */
export function kernelTerm(p: Tensor, { members, means, classes, roots }: LabelTerms): Tensor {
  const memberRows = spmm(members, p); // [labels, k]
  const apart = scaleRows(add(memberRows, spmm(classes, spmm(means, memberRows)), -1), roots);
  return sumRows(rowDots(apart, apart));
}

/** Mean cross-entropy of the training nodes from logits [t, classes]; one-vs-rest if nodes have several labels. */
export function classifierTerm(logits: Tensor, { targets, multiLabel }: LabelTerms): Tensor {
  return multiLabel ? bceLogits(logits, targets, 1 / logits.rows) : softmaxCrossEntropy(logits, targets);
}

/** Offsets of concatenated lists. */
function startsOf(lists: readonly (readonly unknown[])[]): Uint32Array {
  const starts = new Uint32Array(lists.length + 1);
  lists.forEach(({ length }, i) => {
    starts[i + 1] = starts[i] + length;
  });
  return starts;
}
