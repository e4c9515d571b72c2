/** All metrics, by theme. Each agrees with scikit-learn's to rounding (`test/golden/metrics.json`). */

export { maximumAssignment } from "../../numeric/assignment.js";
export {
  adjustedRandIndex,
  clusteringAccuracy,
  normalizedMutualInformation,
} from "../../numeric/clustering-metrics.js";
export { classScores, type F1Scores, multiLabelScores } from "./classification-metrics.js";
export { type Spread, spread } from "./mean-deviation.js";
export {
  averagePrecision,
  hitsAtK,
  precisionRecallAuc,
  rightCountF1,
  rocAuc,
} from "./ranking-metrics.js";
