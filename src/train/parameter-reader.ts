/** Reads the values of parameters, before and after training. */

import { InternalError } from "../core/errors.js";
import { Rng } from "../core/rng.js";
import type { Tensor } from "../engine/program.js";
import type { TrainedParameter } from "./training-program.js";

/** A parameter that the engine has not sent yet. */
class NotRead {
  readonly tensor: Tensor;

  constructor(tensor: Tensor) {
    this.tensor = tensor;
  }
}

/**
 * Calls `use` with a function that reads parameters by name: the values kept so far, or the initial values, which are drawn
 * again from the seed. Nobody knows beforehand which parameters `use` needs: if one has not been read yet, the call is
 * interrupted, the parameter is read, and `use` is called again.
 */
export async function withParameters<T>(
  parameters: readonly TrainedParameter[],
  seed: number,
  read: (tensor: Tensor) => Promise<ArrayLike<number>>,
  use: (read: (name: string, initial: boolean) => ArrayLike<number>) => T,
): Promise<T> {
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const found = new Map<Tensor, ArrayLike<number>>();
  const valuesOf = (name: string, initial: boolean): ArrayLike<number> => {
    const parameter = byName.get(name);
    if (parameter === undefined) throw new InternalError(`no parameter ${name}`);
    const { tensor, kept, initializer } = parameter;
    if (!initial) {
      const values = found.get(kept);
      if (values === undefined) throw new NotRead(kept);
      return values;
    }
    const data = new Float32Array(tensor.rows * tensor.cols);
    initializer(data, new Rng(seed, `init/${name}`));
    return data;
  };
  for (;;) {
    try {
      return use(valuesOf);
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      found.set(error.tensor, await read(error.tensor));
    }
  }
}
