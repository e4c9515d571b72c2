/** Measures the maximum speed of the machine and the speed of the kernels, in one traced program. */

import { InternalError } from "../../core/errors.js";
import type { Engine } from "../../engine/engine.js";
import { adam, add, matmul, matmulTransposeA, multiplyAddChain, spmm, trackBest } from "../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { generateRandom } from "../../graph/synthetic/random-multiplex.js";
import { formatBytes } from "../../report/format.js";
import type { MachineLimits } from "../../train/estimate/estimate.js";
import { type SegmentTime, type TimeOptions, timeSegments } from "./time-segments.js";

/** Sizes of the measured tensors. */
interface Sizes {
  /** Length of a vector of 32-bit floats; three such vectors are larger than every cache. */
  readonly stream: number;
  /** Entries of the tensor that measures the multiply-add peak. */
  readonly chain: number;
  /** Rows, inner dimension and columns of dense products. */
  readonly products: readonly (readonly [m: number, k: number, n: number])[];
}

const PRODUCTS = [
  [4096, 64, 64],
  [4096, 256, 64],
] as const;
/** Three vectors have 100 MB. */
const CPU_SIZES: Sizes = { stream: 8 << 20, chain: 64 * 1280, products: PRODUCTS };
/** Three vectors have 400 MB, since the cache of a large GPU has 50; the chain has as many threads as such a GPU holds at a time. */
const GPU_SIZES: Sizes = { stream: 32 << 20, chain: 1 << 21, products: [...PRODUCTS, [4096, 512, 512]] };
/** Multiply-adds per entry of the tensor that measures their peak. */
const CHAIN_LENGTH = 4096;
/** Size of the sparse product: 4,096 rows, 1.4 million entries, width 128. */
const SPARSE = { rows: 4096, edges: 700_000, width: 128 };

export interface Kernel {
  readonly name: string;
  readonly shape: string;
  /** Multiply-adds of one replay. An addition counts as a multiply-add, because it takes as many instructions. */
  readonly multiplyAdds?: number;
  /** Bytes that one replay reads and writes. */
  readonly bytes?: number;
}

export interface KernelTimes extends Kernel {
  /** One entry for each engine. */
  readonly times: readonly SegmentTime[];
}

/** The kernels that measure the maximum speed of the machine: of arithmetic, and of memory. */
const PEAK = "multiply-add peak";
const TRIAD = "triad";

export async function timeKernels(
  engines: readonly Engine[],
  options: TimeOptions & { readonly limitsOnly: boolean; readonly onGpu?: boolean },
): Promise<KernelTimes[]> {
  const sizes = options.onGpu ? GPU_SIZES : CPU_SIZES;
  const { kernels, program, randomTensors, loss } = kernelProgram(sizes, options.limitsOnly);
  const executables = await Promise.all(engines.map((engine) => engine.compile(program)));
  try {
    for (const executable of executables) {
      for (const tensor of randomTensors) {
        executable.fillSymmetric(tensor, { seed: 1, purpose: "bench" }, 1);
      }
    }
    const segments = kernels.flatMap(({ name }) =>
      executables.map((executable) => ({ executable, segment: name, last: loss })),
    );
    const times = await timeSegments(segments, options);
    return kernels.map((kernel, k) => ({
      ...kernel,
      times: times.slice(k * engines.length, (k + 1) * engines.length),
    }));
  } finally {
    for (const executable of executables) await executable.dispose();
  }
}

/** Multiply-adds or bytes per second on the engine with index `e`. */
export function rate(kernel: KernelTimes, e: number): number {
  return (kernel.multiplyAdds ?? kernel.bytes ?? 0) / kernel.times[e].seconds;
}

/** Maximum speed of the machine, measured on the engine with index `e`. */
export function machineLimits(kernels: readonly KernelTimes[], e: number): MachineLimits {
  const rateOf = (kernelName: string) => {
    const kernel = kernels.find(({ name }) => name === kernelName);
    if (kernel === undefined) throw new InternalError(`bench: ${kernelName} was not measured`);
    return rate(kernel, e);
  };
  return { multiplyAdds: rateOf(PEAK), bytes: rateOf(TRIAD) };
}

/** The program with one segment for each kernel; with `limitsOnly` only for the two that measure the maximum speed. */
function kernelProgram(sizes: Sizes, limitsOnly: boolean) {
  const builder = new ProgramBuilder();
  const kernels: Kernel[] = [];
  const randomTensors: Tensor[] = [];
  const state = (rows: number, cols: number) => {
    const tensor = builder.state(`bench.${randomTensors.length}`, rows, cols);
    randomTensors.push(tensor);
    return tensor;
  };
  const kernel = (description: Kernel, trace: () => readonly Tensor[]) => {
    kernels.push(description);
    builder.segment(description.name, trace);
  };
  const loss = builder.state("loss", 1, 1);
  const chains = state(sizes.chain, 1);
  kernel({ name: PEAK, shape: "registers only", multiplyAdds: sizes.chain * CHAIN_LENGTH }, () => [
    multiplyAddChain(chains, CHAIN_LENGTH, 0.5),
  ]);
  const [a, b] = [state(sizes.stream, 1), state(sizes.stream, 1)];
  kernel({ name: TRIAD, shape: `x + s·y, ${formatBytes(12 * sizes.stream)}`, bytes: 12 * sizes.stream }, () => [
    add(a, b, 0.5),
  ]);
  if (limitsOnly) return { kernels, program: builder.finish(), randomTensors, loss };
  const [c, d] = [state(sizes.stream, 1), state(sizes.stream, 1)];
  const schedule = builder.input("schedule", 1, 3);
  const best = builder.state("best", 1, 2);
  kernel({ name: "adam", shape: `${(sizes.stream / 1e6).toFixed(1)} M parameters`, bytes: 28 * sizes.stream }, () => {
    const flag = trackBest(loss, best);
    const attributes = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 1e-5 };
    adam({ parameter: a, gradient: b, moment1: c, moment2: d, flag, schedule }, attributes);
    return [flag];
  });
  const { rows, width, edges } = SPARSE;
  const x = state(rows, width);
  for (const weighted of [false, true]) {
    const matrix = randomMatrix(weighted);
    kernel(
      {
        name: weighted ? "sparse product, weighted" : "sparse product, 0/1",
        shape: `${rows} rows, ${2 * edges} entries, width ${width}`,
        multiplyAdds: 2 * edges * width,
      },
      () => [spmm(matrix, x)],
    );
  }
  for (const [m, k, n] of sizes.products) {
    const [left, right, y] = [state(m, k), state(k, n), state(m, n)];
    kernel({ name: `product ${m}×${k}×${n}`, shape: "A·B", multiplyAdds: m * k * n }, () => [matmul(left, right)]);
    kernel({ name: `gradient ${k}×${m}×${n}`, shape: "Aᵀ·B", multiplyAdds: m * k * n }, () => [
      matmulTransposeA(left, y),
    ]);
  }
  return { kernels, program: builder.finish(), randomTensors, loss };
}

function randomMatrix(weighted: boolean): SparseOperator {
  const { rows, edges } = SPARSE;
  const [{ rowStart, columns }] = generateRandom({ nodes: rows, relations: 1, edges, seed: 1 }).relations;
  const values = weighted ? new Float32Array(columns.length).fill(0.5) : undefined;
  return { numRows: rows, numColumns: rows, rowStart, columns, values, diagonal: 0, symmetric: true };
}
