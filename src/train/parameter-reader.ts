/** Reads the values of parameters, before and after training. */

import { InternalError } from "../core/errors.js";
import { Rng } from "../core/rng.js";
import type { Tensor } from "../engine/program.js";
import type { TrainedParameter } from "./training-program.js";

/** Reads parameters by name: the values kept so far, or the initial values, which are drawn again from the seed. */
export function parameterReader(
  parameters: readonly TrainedParameter[],
  seed: number,
  read: (tensor: Tensor) => ArrayLike<number>,
): (name: string, initial: boolean) => ArrayLike<number> {
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return (name, initial) => {
    const parameter = byName.get(name);
    if (parameter === undefined) throw new InternalError(`no parameter ${name}`);
    const { tensor, kept, initializer } = parameter;
    if (!initial) return read(kept);
    const data = new Float32Array(tensor.rows * tensor.cols);
    initializer(data, new Rng(seed, `init/${name}`));
    return data;
  };
}
