/** Options that several tasks of `hmge evaluate` share. */

import { text, texts } from "../options/flag-kinds.js";

export const LABEL_OPTIONS = {
  labels: text(undefined, {
    value: "FILE",
    doc: "table of node and label, several rows for a node with several labels; or a dataset folder",
  }),
  columns: texts({ value: "ROLE=COLUMN,…", doc: "columns of FILE, for the roles node and label" }),
};

export const TEST_SPLIT_OPTION = {
  split: text(undefined, {
    value: "FILE",
    doc: "only the nodes of its part test; given: the split of the dataset folder",
    defaultText: "all labelled nodes",
  }),
};
