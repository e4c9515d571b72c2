/** Words that stand for a value that is not there, in lower case. */
export const NO_VALUES = ["nan", "na", "n/a", "#n/a", "<na>", "null", "none"];
