/** Ops that only partitioned programs have. */

import { InternalError } from "../../core/errors.js";
import type { KernelPart, Op, OutputSpec, Tensor } from "../program.js";

const PARTITIONED_ONLY = "it is part of a partitioned program";

function noReference(): never {
  throw new InternalError("the reference engine runs whole programs only");
}

/** The name of a kernel and its arguments. */
export type Kernel<A> = Pick<Op<A>, "name" | "encode">;

/** An instruction that runs a part of a kernel. */
export function partOp<A>(
  { name, encode }: Kernel<A>,
  outputs: readonly OutputSpec[],
  part: (inputs: readonly Tensor[], outputs: readonly Tensor[]) => KernelPart,
  inPlace?: number,
): Op<A> {
  const specs = outputs.map(({ rows, cols, dtype }) => ({ rows, cols, dtype }));
  return {
    name,
    encode,
    outputs: () => specs,
    part,
    inPlace,
    reference: noReference,
    gradient: PARTITIONED_ONLY,
  };
}

type HostFunction = (inputs: readonly Uint32Array[], outputs: readonly Uint32Array[]) => void;

/** An instruction that the host runs. */
export function hostOp(name: string, outputs: readonly OutputSpec[], host: HostFunction): Op<null> {
  const specs = outputs.map(({ rows, cols, dtype }) => ({ rows, cols, dtype }));
  return { name, outputs: () => specs, host, reference: noReference, gradient: PARTITIONED_ONLY };
}

/** An instruction of the host whose only output shares the storage of the first input, with as many rows as `output` has. */
export function hostAlias(name: string, output: OutputSpec, host: HostFunction): Op<null> {
  return { ...hostOp(name, [output], host), alias: true };
}
