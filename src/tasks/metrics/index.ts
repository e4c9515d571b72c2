/** The exported metrics. Those that scikit-learn has agree with it up to rounding (`test/golden/metrics.json`). */

export { maximumAssignment } from "../../numeric/assignment.js";
export {
  adjustedRandIndex,
  clusteringAccuracy,
  normalizedMutualInformation,
} from "../../numeric/clustering-metrics.js";
export { classScores, type F1Scores, multiLabelScores } from "./classification-metrics.js";
export {
  type RepeatedScore,
  /** @deprecated Use RepeatedScore. */
  type RepeatedScore as Spread,
  summarizeRepeats,
  /** @deprecated Use summarizeRepeats. */
  summarizeRepeats as spread,
} from "./mean-deviation.js";
export {
  averagePrecision,
  hitsAtK,
  precisionRecallAuc,
  rightCountF1,
  rocAuc,
} from "./ranking-metrics.js";
