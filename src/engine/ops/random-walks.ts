/**
 * Random walks over one or several relations, as rows of node indices. After a node without out-neighbours the rest is MISSING.
 *
 * Before each step the walk stays in its relation with probability `stay`. Otherwise it changes to another relation that has edges
 * at the node, all equally likely. It also changes if its relation has no edges there, and stays if no other relation has any.
 * Inside the relation the next node is a neighbour, all equally likely or by weight if the relation has values, with the
 * second-order bias of node2vec (Grover, Leskovec 2016): 1/p back to the previous node, 1 to its neighbours, 1/q to other nodes.
 * The bias applies if the last step was an edge of the same relation; otherwise, and at p = q = 1, the step is of first order. Rows
 * are out-neighbours; the scales and the diagonal of the operators are not read.
 *
 * There is no table per pair of edges: a neighbour is proposed and kept with probability bias / largest bias (rejection). After
 * MAX_TRIALS proposals the last one is taken, which matters only if p or q are in the thousands. A weighted relation stores
 * running sums of its weights. Proposal t of step s of walk w uses counter (w, s, t): word 0 decides whether to stay, word 1 the
 * relation, word 2 the neighbour, word 3 whether to keep it. Float32 sums and products are the same on every engine.
 */

import { multiplyHigh } from "../../core/rng.js";
import { defineOp, type HostTensor, requireShape, type Tensor } from "../program.js";
import type { SparseOperator } from "../sparse.js";
import { MISSING } from "./missing.js";
import { drawBlock, falls, probabilityWord } from "./random-key.js";

/** Largest number of proposals per step. Not tuned. */
const MAX_TRIALS = 1024;

/** How walks are drawn. */
export interface WalkAttributes {
  /** Nodes per walk, the start included. */
  readonly length: number;
  /** Probability of staying in the relation, 0 to 1; default 1. It has no effect with one relation. */
  readonly stay?: number;
  /** node2vec's return parameter, positive; default 1. */
  readonly p?: number;
  /** node2vec's in-out parameter, positive; default 1. */
  readonly q?: number;
}

interface Attributes {
  readonly length: number;
  /** The values of weighted relations are running sums over their rows. */
  readonly relations: readonly SparseOperator[];
  /** Whether an input holds the relation in which each walk starts. */
  readonly hasStartRelations: boolean;
  /** Probability of staying, as a word (`probabilityWord`). */
  readonly stay: number;
  /** Probabilities, as words, of keeping a proposal: the previous node, a neighbour of it, another node. */
  readonly keep: readonly [back: number, near: number, far: number];
  readonly biased: boolean;
}

export const randomWalksOp = defineOp<Attributes>({
  name: "randomWalks",
  outputs(inputs, { length, relations, hasStartRelations }) {
    const [key, starts, relation] = inputs;
    const fits = key.rows * key.cols === 2 && starts.cols === 1 && relations.length > 0 && length >= 1;
    requireShape(fits && (!hasStartRelations || relation.rows === starts.rows), "randomWalks", inputs);
    return [{ rows: starts.rows, cols: length, dtype: "index" }];
  },
  reference([key, starts, startRelations], [walks], attributes) {
    const { length, relations, hasStartRelations } = attributes;
    const block = new Uint32Array(4);
    for (let walk = 0; walk < starts.rows; walk++) {
      let node = starts.data[walk];
      let relation = hasStartRelations ? startRelations.data[walk] : MISSING;
      let previous = MISSING;
      walks.data[walk * length] = node;
      for (let step = 1; step < length; step++) {
        if (node !== MISSING) {
          drawBlock(block, key, walk, step);
          const last = relation;
          relation = chooseRelation(relations, relation, node, attributes.stay, block);
          const next =
            relation === MISSING
              ? MISSING
              : chooseNeighbor(
                  { matrix: relations[relation], node, previous, sameRelation: relation === last, walk, step },
                  attributes,
                  key,
                  block,
                );
          previous = node;
          node = next;
        }
        walks.data[walk * length + step] = node;
      }
    }
  },
  gradient: "walks have none",
  encode: ({ relations, hasStartRelations, stay, keep, biased }) => [
    { sparseList: relations },
    { int: hasStartRelations ? 1 : 0 },
    { int: stay },
    { int: biased ? 1 : 0 },
    ...keep.map((int) => ({ int })),
  ],
});

function hasEdges({ rowStart, values }: SparseOperator, node: number): boolean {
  const [begin, end] = [rowStart[node], rowStart[node + 1]];
  return end > begin && (values === undefined || values[end - 1] > 0);
}

/** The relation of the next step, MISSING if none has edges at the node. */
function chooseRelation(
  relations: readonly SparseOperator[],
  relation: number,
  node: number,
  stay: number,
  block: Uint32Array,
): number {
  const here = relation !== MISSING && hasEdges(relations[relation], node);
  if (here && falls(block[0], stay)) return relation;
  const others = relations.flatMap((other, d) => (d !== relation && hasEdges(other, node) ? [d] : []));
  if (others.length === 0) return here ? relation : MISSING;
  return others[multiplyHigh(block[1], others.length)];
}

interface Place {
  readonly matrix: SparseOperator;
  readonly node: number;
  readonly previous: number;
  /** Whether the last step was in this relation. */
  readonly sameRelation: boolean;
  readonly walk: number;
  readonly step: number;
}

function chooseNeighbor(place: Place, { keep, biased }: Attributes, key: HostTensor, block: Uint32Array): number {
  const { matrix, node, previous, sameRelation, walk, step } = place;
  let candidate = propose(matrix, node, block[2]);
  if (!biased || previous === MISSING || !(sameRelation || isEdge(matrix, previous, node))) return candidate;
  for (let trial = 1; trial < MAX_TRIALS; trial++) {
    const kind = candidate === previous ? 0 : isEdge(matrix, previous, candidate) ? 1 : 2;
    if (falls(block[3], keep[kind])) break;
    drawBlock(block, key, walk, step, trial);
    candidate = propose(matrix, node, block[2]);
  }
  return candidate;
}

/** A neighbour, by weight if there are weights: the first whose running sum exceeds a random part of the total. */
function propose({ rowStart, columns, values }: SparseOperator, node: number, word: number): number {
  const [begin, end] = [rowStart[node], rowStart[node + 1]];
  if (values === undefined) return columns[begin + multiplyHigh(word, end - begin)];
  const part = Math.fround(((word >>> 8) / 0x1000000) * values[end - 1]);
  let e = begin;
  while (e < end - 1 && !(values[e] > part)) e++;
  return columns[e];
}

function isEdge({ rowStart, columns }: SparseOperator, from: number, to: number): boolean {
  return columns.subarray(rowStart[from], rowStart[from + 1]).includes(to);
}

const runningSums = new WeakMap<SparseOperator, SparseOperator>();

/** The operator with the running sums of each row's values, in float32; made once. */
function withRunningSums(matrix: SparseOperator): SparseOperator {
  if (matrix.values === undefined) return matrix;
  const known = runningSums.get(matrix);
  if (known !== undefined) return known;
  const values = new Float32Array(matrix.values.length);
  for (let i = 0; i < matrix.numRows; i++) {
    let sum = 0;
    for (let e = matrix.rowStart[i]; e < matrix.rowStart[i + 1]; e++) values[e] = sum += matrix.values[e];
  }
  const made = { ...matrix, values };
  runningSums.set(matrix, made);
  return made;
}

/** Where walks start, and the key of their random numbers. */
export interface WalkInputs {
  readonly key: Tensor;
  /** First nodes [w, 1]; MISSING gives a walk of MISSING. */
  readonly starts: Tensor;
  /** The relation in which each walk starts [w, 1]; without it, a relation with edges at the start, all equally likely. */
  readonly relation?: Tensor;
}

/** Walks [w, length]; the first column is the start. */
export function randomWalks(
  { key, starts, relation }: WalkInputs,
  relations: readonly SparseOperator[],
  { length, stay = 1, p = 1, q = 1 }: WalkAttributes,
): Tensor {
  const largestBias = Math.max(1, 1 / p, 1 / q);
  const attributes: Attributes = {
    length,
    relations: relations.map(withRunningSums),
    hasStartRelations: relation !== undefined,
    stay: probabilityWord(stay),
    keep: [
      probabilityWord(1 / p / largestBias),
      probabilityWord(1 / largestBias),
      probabilityWord(1 / q / largestBias),
    ],
    biased: p !== 1 || q !== 1,
  };
  const inputs = relation === undefined ? [key, starts] : [key, starts, relation];
  return key.builder.apply(randomWalksOp, inputs, attributes)[0];
}
