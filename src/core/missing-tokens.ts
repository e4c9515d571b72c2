/** Tokens that stand for a missing value, in lower case. */
export const MISSING_TOKENS = ["nan", "na", "n/a", "#n/a", "<na>", "null", "none"];
