/** Probabilities that a random selection of nodes holds at least so many nodes of a category or so many edges. */

/** Probability that `drawn` of `all` nodes, `marked` of which are marked, hold at least `count` marked ones (hypergeometric). */
export function drawnTail(all: number, marked: number, drawn: number, count: number): number {
  const unmarked = all - marked;
  let k = Math.max(count, drawn - unmarked);
  let term = Math.exp(logChoose(marked, k) + logChoose(unmarked, drawn - k) - logChoose(all, drawn));
  let tail = 0;
  for (; k <= Math.min(marked, drawn) && term > 0; k++) {
    tail += term;
    term *= ((marked - k) * (drawn - k)) / ((k + 1) * (unmarked - drawn + k + 1));
  }
  return Math.min(1, tail);
}

export interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/**
 * Mean and variance of the number of edges inside a random selection of `drawn` of `all` nodes. Two edges that share a node
 * (`adjacentPairs` counts them) are inside together more often than others, so hubs make the variance larger.
 */
export function edgesInside(
  all: number,
  drawn: number,
  { count, adjacentPairs }: { readonly count: number; readonly adjacentPairs: number },
): Moments {
  /** Probability that so many given nodes are drawn. */
  const together = (nodes: number) => {
    let probability = 1;
    for (let i = 0; i < nodes; i++) probability *= Math.max(0, drawn - i) / Math.max(1, all - i);
    return probability;
  };
  const mean = count * together(2);
  const disjointPairs = (count * (count - 1)) / 2 - adjacentPairs;
  const square = mean + 2 * adjacentPairs * together(3) + 2 * disjointPairs * together(4);
  return { mean, variance: Math.max(0, square - mean * mean) };
}

/** Counts from which on the normal distribution is used: it is close, and the sum of the other terms would be long. */
const MANY = 10_000;

/**
 * Probability of a count of at least `count`, by the negative binomial distribution of this mean and variance, or by Poisson's if the
 * variance is not larger than the mean.
 */
export function tailOfCount({ mean, variance }: Moments, count: number): number {
  if (count === 0 || mean === 0) return 1;
  if (count > MANY) return normalTail((count - mean) / Math.sqrt(Math.max(mean, variance)));
  const excess = Math.max(0, variance - mean);
  const size = (mean * mean) / excess; // Infinity for Poisson's distribution
  const ratio = excess / (mean + excess);
  let logTerm = excess === 0 ? -mean : size * Math.log1p(-ratio);
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += Math.exp(logTerm);
    logTerm += Math.log(excess === 0 ? mean / (k + 1) : (ratio * (size + k)) / (k + 1));
  }
  return Math.min(1, Math.max(0, 1 - below));
}

/** Coefficients of erfcc in Numerical Recipes, the highest power first. */
const ERFC = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
  -1.26551223,
];

/** Probability that a standard normal number is at least z; the error is below 1.2e-7 of it. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const x = z / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  return 0.5 * t * Math.exp(ERFC.reduce((sum, coefficient) => sum * t + coefficient, 0) - x * x);
}

/** Natural logarithm of the number of ways to choose k of n. */
function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Natural logarithm of n!, by Stirling's series from 10 on: error below 1e-9. */
function logFactorial(n: number): number {
  let product = 1;
  if (n < 10) {
    for (let i = 2; i <= n; i++) product *= i;
    return Math.log(product);
  }
  return (
    n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
  );
}
