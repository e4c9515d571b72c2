/**
 * L-BFGS (Nocedal 1980) in float64 for smooth convex problems of modest size, such as probes on vectors. The line search
 * asks for Wolfe's conditions or, near the minimum, for the approximate ones of Hager and Zhang (SIAM J. Optim. 2005).
 */

/** Returns the value at x and writes the gradient into `gradient`. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

export interface LbfgsResult {
  readonly x: Float64Array;
  readonly value: number;
  readonly iterations: number;
  /** Whether the largest entry of the gradient fell below the tolerance. */
  readonly converged: boolean;
}

export interface LbfgsOptions {
  /** Largest entry of the gradient at which the search ends; default 1e-8. */
  readonly tolerance?: number;
  /** Default 1000. */
  readonly maxIterations?: number;
  /** Multiplies a vector in place by a symmetric positive matrix near the inverse of the curvature. Default: identity. */
  readonly precondition?: (vector: Float64Array) => void;
}

/** Number of past steps that approximate the curvature. */
const MEMORY = 10;
/** Constants of Wolfe's conditions. */
const SUFFICIENT_DECREASE = 1e-4;
const CURVATURE = 0.9;
/** Relative increase of the value that may be rounding, as in Hager and Zhang 2005. */
const ROUNDING = 1e-12;
/** Evaluations of the objective in one line search. */
const MAX_EVALUATIONS = 60;

export function minimizeLbfgs(objective: Objective, start: Float64Array, options: LbfgsOptions = {}): LbfgsResult {
  const { tolerance = 1e-8, maxIterations = 1000, precondition } = options;
  const n = start.length;
  let x: Float64Array = start.slice();
  let gradient: Float64Array = new Float64Array(n);
  let value = objective(x, gradient);
  const steps: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  let iterations = 0;
  while (largest(gradient) > tolerance && iterations < maxIterations) {
    iterations++;
    const direction = twoLoop(gradient, steps, precondition);
    const slope = dot(gradient, direction);
    if (!(slope < 0)) break;
    const first =
      steps.length === 0 && precondition === undefined ? Math.min(1, 1 / Math.sqrt(dot(gradient, gradient))) : 1;
    const found = lineSearch(objective, x, value, slope, direction, first);
    if (found === undefined) break;
    const s = found.x.map((v, i) => v - x[i]);
    const y = found.gradient.map((v, i) => v - gradient[i]);
    const sy = dot(s, y);
    if (sy > 1e-300) {
      steps.push({ s, y, rho: 1 / sy });
      if (steps.length > MEMORY) steps.shift();
    }
    ({ x, gradient, value } = found);
  }
  return { x, value, iterations, converged: largest(gradient) <= tolerance };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function largest(a: Float64Array): number {
  let found = 0;
  for (let i = 0; i < a.length; i++) found = Math.max(found, Math.abs(a[i]));
  return found;
}

/** −H·g by the two-loop recursion. */
function twoLoop(
  gradient: Float64Array,
  steps: readonly { s: Float64Array; y: Float64Array; rho: number }[],
  precondition: ((vector: Float64Array) => void) | undefined,
) {
  const q = gradient.map((v) => -v);
  const alphas: number[] = [];
  for (let k = steps.length - 1; k >= 0; k--) {
    const { s, y, rho } = steps[k];
    const alpha = (alphas[k] = rho * dot(s, q));
    for (let i = 0; i < q.length; i++) q[i] -= alpha * y[i];
  }
  precondition?.(q);
  if (steps.length > 0) {
    const { y, rho } = steps[steps.length - 1];
    const image = y.slice();
    precondition?.(image);
    const scale = 1 / (rho * dot(y, image));
    for (let i = 0; i < q.length; i++) q[i] *= scale;
  }
  steps.forEach(({ s, y, rho }, k) => {
    const correction = alphas[k] - rho * dot(y, q);
    for (let i = 0; i < q.length; i++) q[i] += correction * s[i];
  });
  return q;
}

interface Point {
  readonly t: number;
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  readonly value: number;
  readonly slope: number;
}

/**
 * A step that meets Wolfe's conditions, or the approximate ones near the minimum, where rounding hides the decrease.
 * The slope of a convex function grows along the line, so its sign shows on which side the minimum is.
 */
function lineSearch(
  objective: Objective,
  x: Float64Array,
  value: number,
  slope: number,
  direction: Float64Array,
  first: number,
): Point | undefined {
  const highest = value + ROUNDING * Math.abs(value);
  let low = { t: 0, slope };
  let high: { t: number; slope: number } | undefined;
  let t = first;
  for (let i = 0; i < MAX_EVALUATIONS; i++) {
    const moved = new Float64Array(x.length);
    for (let k = 0; k < x.length; k++) moved[k] = x[k] + t * direction[k];
    const gradient = new Float64Array(x.length);
    const found = objective(moved, gradient);
    const point: Point = { t, x: moved, gradient, value: found, slope: dot(gradient, direction) };
    const flat = Math.abs(point.slope) <= -CURVATURE * slope;
    if (flat && (found <= value + SUFFICIENT_DECREASE * t * slope || found <= highest)) return point;
    if (point.slope < 0 && found <= highest) low = point;
    else high = point;
    if (high === undefined) t *= 4;
    else {
      const secant = (low.t * high.slope - high.t * low.slope) / (high.slope - low.slope);
      const margin = 0.1 * (high.t - low.t);
      t = Number.isFinite(secant) ? Math.min(Math.max(secant, low.t + margin), high.t - margin) : (low.t + high.t) / 2;
    }
  }
  return undefined;
}
