/** All metrics, by theme. Each agrees with scikit-learn's to rounding (`test/golden/metrics.json`). */

export { maximumAssignment } from "../core/assignment.js";
export { adjustedRandIndex, clusteringAccuracy, normalizedMutualInformation } from "../core/clustering-metrics.js";
export { classScores, type F1Scores, multiLabelScores } from "./classification-metrics.js";
export {
  averagePrecision,
  hitsAtK,
  precisionRecallAuc,
  rightCountF1,
  rocAuc,
} from "./ranking-metrics.js";
export { type Spread, spread } from "./spread.js";
