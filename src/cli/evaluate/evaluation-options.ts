/** Options that several tasks of `hmge evaluate` share. */

import { text, texts } from "../options/flag-kinds.js";

export const LABEL_OPTIONS = {
  labels: text(undefined, {
    value: "FILE",
    doc: "table with the columns node and label (several rows for a node with several labels), or a dataset folder",
  }),
  columns: texts({ value: "ROLE=COLUMN,…", doc: "names or positions of the columns node and label in FILE" }),
};

export const TEST_SPLIT_OPTION = {
  split: text(undefined, {
    value: "FILE",
    doc: "table of node and split; only nodes of the test split are used; or the word given, for the split of the dataset folder",
    defaultText: "all labelled nodes",
  }),
};
