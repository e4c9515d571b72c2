/**
 * Truncated eigen-solvers: the leading eigenvectors of the degree-regularised adjacency of a graph.
 *
 *   node bench/run.mjs eigen-solvers [--data ../shared/data] [--graphs koumbia_20,dmgi_imdb,string_yeast6] [--nodes 100000]
 *                                    [--counts 2,64] [--random-counts 2,16]
 *
 * subspace           numeric/eigen/leading-eigenvectors.ts: 8 rounds of a Chebyshev filter of degree 4 and Rayleigh–Ritz, JavaScript
 * subspace, engine   nn/leading-directions.ts: four such rounds on the WASM engine in float32, as the default model runs them
 * Gram–Schmidt       subspace iteration with a Chebyshev filter of degree 10 until the residual is below 0.01, JavaScript
 * Lanczos            full reorthogonalisation, until the residual is below 0.001 or the maximum number of steps, JavaScript
 *
 * Each data set is reduced to the union of its relations; the random graph has power-law degrees. Columns of the table: number of
 * wanted eigenvectors; CPU seconds of all threads; number of products of the matrix with one column; largest residual ‖Âu − λu‖ of
 * the wanted eigenvectors.
 */

import { cpus } from "node:os";
import { join } from "node:path";
import { Rng } from "../src/core/rng.js";
import { spmm } from "../src/engine/ops/index.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { regularizedOperator, regularizedScales } from "../src/graph/normalize.js";
import { generateRandom } from "../src/graph/synthetic/random-multiplex.js";
import { unionAdjacency } from "../src/graph/union.js";
import { loadGraph } from "../src/io/graph/load-graph.js";
import { FILTERED_ROUNDS, leadingDirections } from "../src/nn/leading-directions.js";
import { multiplySparse, rowLengths, type ScaledCsr } from "../src/numeric/csr.js";
import { leadingEigenvectors } from "../src/numeric/eigen/leading-eigenvectors.js";
import {
  type Eigenvectors,
  EXTRA_COLUMNS,
  PRODUCTS,
  PRODUCTS_PER_ROUND,
} from "../src/numeric/eigen/subspace-iteration.js";
import { symmetricEigen } from "../src/numeric/eigen/symmetric-eigen.js";
import type { FloatArray, Rows } from "../src/numeric/rows.js";
import { formatCount, table } from "../src/report/terminal.js";
import { numberOption, textOption } from "./options.js";

type Matrix = ScaledCsr<FloatArray>;
type Column = Float64Array;
type Solver = (matrix: Matrix, count: number) => Solution | Promise<Solution>;

interface Solution {
  readonly vectors: Eigenvectors<FloatArray>;
  /** Number of products of the matrix with one column. */
  readonly products: number;
}

const engine = await createWasmEngine();

const solvers: Readonly<Record<string, Solver>> = {
  subspace: (matrix, count) => {
    const vectors = leadingEigenvectors(matrix, count, new Rng(1, "bench"));
    return { vectors, products: subspaceProducts(matrix, count + Math.min(count, EXTRA_COLUMNS)) };
  },
  "subspace, engine": async (matrix, count) => {
    const request = {
      numNodes: matrix.numRows,
      count,
      eigenvalues: "bounded" as const,
      purpose: "bench",
      stageName: "bench",
    };
    const [vectors] = await leadingDirections([(x) => spmm(matrix, x)], request, { engine, seed: 1 });
    return { vectors, products: subspaceProducts(matrix, count + EXTRA_COLUMNS, FILTERED_ROUNDS) };
  },
  "Gram–Schmidt": gramSchmidt,
  Lanczos: lanczos,
};

function subspaceProducts({ numRows }: Matrix, width: number, rounds = PRODUCTS / PRODUCTS_PER_ROUND): number {
  return Math.min(numRows, width) * rounds * (PRODUCTS_PER_ROUND + 1);
}

/** Subspace iteration. The filter damps eigenvalues from −1 to the smallest Ritz value of the block. Each column is an array. */
function gramSchmidt(matrix: Matrix, count: number): Solution {
  const [degree, maxRounds, tolerance, extra] = [10, 30, 1e-2, 16];
  const { numRows } = matrix;
  const rng = new Rng(1, "bench");
  const random = () => Float64Array.from({ length: numRows }, () => rng.normal());
  const width = Math.min(numRows, count + extra);
  const wanted = Math.min(width, count);
  const product = new Float64Array(numRows);
  let products = 0;
  const multiply = (x: Column, out: Column) => {
    multiplySparse(matrix, x, 1, out);
    products++;
  };
  const filter = (x: Column, cut: number): Column => {
    const upper = Math.max(cut, -0.9);
    const [centre, half] = [(upper - 1) / 2, (upper + 1) / 2];
    multiply(x, product);
    let [previous, current] = [x, product.map((y, i) => (y - centre * x[i]) / half)];
    for (let d = 2; d <= degree; d++) {
      multiply(current, product);
      const next = product.map((y, i) => (2 * (y - centre * current[i])) / half - previous[i]);
      [previous, current] = [current, next];
    }
    return current;
  };
  let block: Column[] = Array.from({ length: width }, random);
  let values = new Float64Array(width);
  for (let round = 0; round < maxRounds; round++) {
    if (round > 0) block = block.map((column) => filter(column, values[width - 1]));
    block.forEach((_, k) => {
      orthogonalize(block, k, random);
    });
    const images = block.map((column) => {
      const image = new Float64Array(numRows);
      multiply(column, image);
      return image;
    });
    const projected = Float64Array.from({ length: width * width }, (_, at) =>
      dot(block[Math.floor(at / width)], images[at % width]),
    );
    const ritz = symmetricEigen(projected, width);
    values = Float64Array.from(ritz.values);
    const ritzImages = combine(images, ritz.vectors.slice(0, wanted));
    block = combine(block, ritz.vectors);
    const residuals = ritzImages.map((image, k) => residualNorm(image, block[k], values[k]));
    if (Math.max(...residuals) < tolerance) break;
  }
  return { vectors: { ...columnsToRows(block.slice(0, wanted)), values: values.subarray(0, wanted) }, products };
}

/** Makes column k orthonormal to the columns before it, twice; replaces it by a random column if it is linearly dependent on them. */
function orthogonalize(block: Column[], k: number, random: () => Column): void {
  for (;;) {
    scaleBy(block[k], 1 / Math.sqrt(dot(block[k], block[k])));
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < k; j++) addTo(block[k], -dot(block[j], block[k]), block[j]);
    }
    const length = Math.sqrt(dot(block[k], block[k]));
    if (length > 1e-10) {
      scaleBy(block[k], 1 / length);
      return;
    }
    block[k] = random();
  }
}

/** Takes at most 40 + 4·count steps. */
function lanczos(matrix: Matrix, count: number): Solution {
  const [checkInterval, tolerance, minLength] = [16, 1e-3, 1e-10];
  const { numRows } = matrix;
  const maxSteps = Math.min(numRows, 40 + 4 * count);
  const rng = new Rng(1, "bench");
  const basis = [Float64Array.from({ length: numRows }, () => rng.normal())];
  scaleBy(basis[0], 1 / Math.sqrt(dot(basis[0], basis[0])));
  const [diagonal, offDiagonal]: [number[], number[]] = [[], []];
  for (;;) {
    const last = basis[basis.length - 1];
    const next = new Float64Array(numRows);
    multiplySparse(matrix, last, 1, next);
    diagonal.push(dot(last, next));
    for (const column of basis) addTo(next, -dot(column, next), column);
    const length = Math.sqrt(dot(next, next));
    const steps = diagonal.length;
    const isLastStep = length < minLength || steps === maxSteps;
    if (isLastStep || (steps % checkInterval === 0 && steps > count)) {
      const projected = new Float64Array(steps * steps);
      diagonal.forEach((value, k) => {
        projected[k * steps + k] = value;
        if (k > 0) projected[k * steps + k - 1] = projected[(k - 1) * steps + k] = offDiagonal[k - 1];
      });
      const { values, vectors } = symmetricEigen(projected, steps);
      const residuals = vectors.slice(0, count).map((vector) => length * Math.abs(vector[steps - 1]));
      if (isLastStep || Math.max(...residuals) < tolerance) {
        const columns = combine(basis, vectors.slice(0, count));
        return { vectors: { ...columnsToRows(columns), values: values.slice(0, columns.length) }, products: steps };
      }
    }
    offDiagonal.push(length);
    scaleBy(next, 1 / length);
    basis.push(next);
  }
}

function dot(x: Column, y: Column): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const end = x.length & ~3;
  for (let i = 0; i < end; i += 4) {
    a += x[i] * y[i];
    b += x[i + 1] * y[i + 1];
    c += x[i + 2] * y[i + 2];
    d += x[i + 3] * y[i + 3];
  }
  for (let i = end; i < x.length; i++) a += x[i] * y[i];
  return a + b + (c + d);
}

function addTo(x: Column, factor: number, y: Column): void {
  for (let i = 0; i < x.length; i++) x[i] += factor * y[i];
}

function scaleBy(x: Column, factor: number): void {
  for (let i = 0; i < x.length; i++) x[i] *= factor;
}

/** ‖image − value·vector‖ */
function residualNorm(image: Column, vector: Column, value: number): number {
  return Math.sqrt(image.reduce((sum, y, i) => sum + (y - value * vector[i]) ** 2, 0));
}

function combine(columns: readonly Column[], weights: readonly Float64Array[]): Column[] {
  return weights.map((coefficients) => {
    const sum = new Float64Array(columns[0].length);
    coefficients.forEach((weight, j) => {
      addTo(sum, weight, columns[j]);
    });
    return sum;
  });
}

function columnsToRows(columns: readonly Column[]): Rows {
  const width = columns.length;
  const data = new Float64Array(columns[0].length * width);
  columns.forEach((column, k) => {
    for (let i = 0; i < column.length; i++) data[i * width + k] = column[i];
  });
  return { data, width };
}

function largestResidual(matrix: Matrix, { data, width, values }: Eigenvectors<FloatArray>): number {
  const vectors = Float64Array.from(data);
  const images = new Float64Array(data.length);
  multiplySparse(matrix, vectors, width, images);
  const squares = new Float64Array(width);
  for (let at = 0; at < images.length; at++) {
    squares[at % width] += (images[at] - values[at % width] * vectors[at]) ** 2;
  }
  return Math.sqrt(Math.max(...squares));
}

const folder = textOption("data", "../shared/data");
const nodes = numberOption("nodes", 100_000);
const names = textOption("graphs", "koumbia_20,dmgi_imdb,string_yeast6").split(",");
const numbers = (name: string, fallback: string) => textOption(name, fallback).split(",").map(Number);
const [counts, randomCounts] = [numbers("counts", "2,64"), numbers("random-counts", "2,16")];
const random = generateRandom({ nodes, relations: 1, edges: 5 * nodes, exponent: 2.5, seed: 1 });
const rows: string[][] = [];
for (const name of [...names, "random"]) {
  const graph = name === "random" ? random : await loadGraph(join(folder, name));
  const adjacency = unionAdjacency(graph);
  const matrix = regularizedOperator(adjacency, regularizedScales(rowLengths(adjacency)));
  const label = `${name}, ${formatCount(graph.numNodes)} nodes, ${formatCount(adjacency.columns.length / 2)} edges`;
  for (const count of name === "random" ? randomCounts : counts) {
    for (const [solver, solve] of Object.entries(solvers)) {
      const begin = process.cpuUsage();
      const { vectors, products } = await solve(matrix, count);
      const seconds = process.cpuUsage(begin).user / 1e6;
      const residual = largestResidual(matrix, vectors);
      rows.push([label, String(count), solver, seconds.toFixed(2), formatCount(products), residual.toExponential(1)]);
    }
  }
}
console.log(cpus()[0].model);
console.log(table([["graph", "wanted", "solver", "seconds", "products", "residual"], ...rows], { width: 160 }));
