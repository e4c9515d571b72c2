/** Starting values of parameters. Each parameter has its own random stream, named after it, so their order does not matter. */

import type { Rng } from "../core/rng.js";

/** Fills a parameter with its starting values. */
export interface Initializer {
  (data: Float32Array | Float64Array, rng: Rng): void;
  /** Set if the values are uniform in ±bound, which an engine can draw itself. */
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

/** Normal numbers with mean zero and this standard deviation. */
export function normal(deviation: number): Initializer {
  return (data, rng) => {
    for (let i = 0; i < data.length; i++) data[i] = deviation * rng.normal();
  };
}

/** Normal numbers with this standard deviation; numbers beyond two deviations are drawn again. */
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

/** Xavier with a normal distribution: standard deviation √(2 / (fanIn + fanOut)). */
export function xavierNormal(fanIn: number, fanOut: number): Initializer {
  return normal(Math.sqrt(2 / (fanIn + fanOut)));
}
