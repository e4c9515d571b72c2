/** Measures the maximum speed of the machine and the speed of the kernels, in one traced program. */

import { InternalError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import type { Engine } from "../../engine/engine.js";
import { adam, add, matmul, matmulTransposeA, multiplyAddChain, spmm, trackBest } from "../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { generateRandom } from "../../graph/synthetic/random-multiplex.js";
import type { MachineLimits } from "../../train/estimate/estimate.js";
import { type SegmentTime, type TimeOptions, timeSegments } from "./time-segments.js";

/** Length of a vector of 32-bit floats; three such vectors (100 MB) are larger than every cache. */
const STREAM_ENTRIES = 8 << 20;
/** Entries of the tensor that measures the multiply-add peak, and multiply-adds per entry. */
const CHAIN_ENTRIES = 64 * 1280;
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
  options: TimeOptions & { readonly limitsOnly: boolean },
): Promise<KernelTimes[]> {
  const { kernels, program, randomTensors } = kernelProgram(options.limitsOnly);
  const executables = await Promise.all(engines.map((engine) => engine.compile(program)));
  try {
    for (const executable of executables) {
      for (const tensor of randomTensors) {
        executable.write(tensor, (data) => {
          if (!(data instanceof Uint32Array)) new Rng(1, "bench").fillSymmetric(data, 1);
        });
      }
    }
    const segments = kernels.flatMap(({ name }) => executables.map((executable) => ({ executable, segment: name })));
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
function kernelProgram(limitsOnly: boolean) {
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
  const chains = state(CHAIN_ENTRIES, 1);
  kernel({ name: PEAK, shape: "registers only", multiplyAdds: CHAIN_ENTRIES * CHAIN_LENGTH }, () => [
    multiplyAddChain(chains, CHAIN_LENGTH, 0.5),
  ]);
  const [a, b] = [state(STREAM_ENTRIES, 1), state(STREAM_ENTRIES, 1)];
  kernel({ name: TRIAD, shape: "x + s·y, 100 MB", bytes: 12 * STREAM_ENTRIES }, () => [add(a, b, 0.5)]);
  if (limitsOnly) return { kernels, program: builder.finish(), randomTensors };
  const [c, d] = [state(STREAM_ENTRIES, 1), state(STREAM_ENTRIES, 1)];
  const schedule = builder.input("schedule", 1, 3);
  const best = builder.state("best", 1, 2);
  const loss = builder.state("loss", 1, 1);
  kernel({ name: "adam", shape: "8.4 M parameters", bytes: 28 * STREAM_ENTRIES }, () => {
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
  for (const [m, k, n] of [
    [4096, 64, 64],
    [4096, 256, 64],
  ]) {
    const [left, right, y] = [state(m, k), state(k, n), state(m, n)];
    kernel({ name: `product ${m}×${k}×${n}`, shape: "A·B", multiplyAdds: m * k * n }, () => [matmul(left, right)]);
    kernel({ name: `gradient ${k}×${m}×${n}`, shape: "Aᵀ·B", multiplyAdds: m * k * n }, () => [
      matmulTransposeA(left, y),
    ]);
  }
  return { kernels, program: builder.finish(), randomTensors };
}

function randomMatrix(weighted: boolean): SparseOperator {
  const { rows, edges } = SPARSE;
  const [{ rowStart, columns }] = generateRandom({ nodes: rows, relations: 1, edges, seed: 1 }).relations;
  const values = weighted ? new Float32Array(columns.length).fill(0.5) : undefined;
  return { numRows: rows, numColumns: rows, rowStart, columns, values, diagonal: 0, symmetric: true };
}
