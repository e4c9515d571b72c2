/** Starting values of parameters. Each draws from a stream named after its parameter, so order does not matter. */

import type { Rng } from "../core/rng.js";

/** Fills a parameter with its starting values. */
export interface Initializer {
  (data: Float32Array | Float64Array, rng: Rng): void;
  /** Of uniform numbers in ±bound, which an engine can draw itself. */
  readonly bound?: number;
}

/** All zero. */
export const zeros: Initializer = (data) => {
  data.fill(0);
};

/** All `value`. */
export function constantly(value: number): Initializer {
  return (data) => {
    data.fill(value);
  };
}

/** Uniform in ±bound. */
export function uniform(bound: number): Initializer {
  return Object.assign((data: Float32Array | Float64Array, rng: Rng) => rng.fillSymmetric(data, bound), { bound });
}

/** Normal numbers of mean zero. */
export function normal(deviation: number): Initializer {
  return (data, rng) => {
    for (let i = 0; i < data.length; i++) data[i] = deviation * rng.normal();
  };
}

/** Normal numbers of the given deviation; those beyond twice as much are drawn again. */
export function truncatedNormal(deviation: number): Initializer {
  return (data, rng) => {
    for (let i = 0; i < data.length; i++) {
      let value = rng.normal();
      while (Math.abs(value) > 2) value = rng.normal();
      data[i] = deviation * value;
    }
  };
}

/** Xavier (Glorot and Bengio 2010): uniform in ±√(6 / (fanIn + fanOut)). */
export function xavierUniform(fanIn: number, fanOut: number): Initializer {
  return uniform(Math.sqrt(6 / (fanIn + fanOut)));
}

/** Xavier with a normal distribution: deviation √(2 / (fanIn + fanOut)). */
export function xavierNormal(fanIn: number, fanOut: number): Initializer {
  return normal(Math.sqrt(2 / (fanIn + fanOut)));
}
