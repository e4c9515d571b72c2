/** Options that several parts of `hmge evaluate` share. */

import type { CommandOption } from "../command.js";

export const LABEL_OPTIONS: readonly CommandOption[] = [
  {
    name: "labels",
    value: "FILE",
    doc: "table of node and label, several rows for a node with several labels; or a dataset folder",
  },
  { name: "columns", value: "ROLE=COLUMN,…", repeatable: true, doc: "columns of FILE, for the roles node and label" },
];

export const TEST_SPLIT_OPTION: CommandOption = {
  name: "split",
  value: "FILE",
  doc: "only the nodes of its part test; given: the split of the dataset folder",
  default: "all labelled nodes",
};
