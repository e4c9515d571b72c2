/** The options of `hmge explore`. */

import { flag, int } from "../../core/options.js";
import { type Arguments, flagName } from "../command.js";
import { GRAPH_OPTIONS } from "../folder/run-graph.js";
import { ENGINE_OPTIONS } from "../options/engine-option.js";
import { text, texts } from "../options/flag-kinds.js";
import { MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
import { MAX_TSNE_NODES } from "./run-maps.js";

const { nodes: _, columns, ...reading } = SOURCE_OPTIONS;
const { engine, threads } = ENGINE_OPTIONS;

/** Options of `embed` that only a training uses. */
const TRAINED_OPTIONS = { ...MODEL_OPTIONS, ...TRAINING_OPTIONS, ...reading, engine };

export const EXPLORE_OPTIONS = {
  out: text(undefined, {
    value: "FILE.html",
    doc: "write the page as one file that needs no server and no network, instead of opening it",
  }),
  static: text(undefined, {
    value: "FOLDER",
    doc: "write the page without a graph, for any web server; it trains the files that are dropped on it",
  }),
  overwrite: flag(false, { doc: "replace the files of --out and --static and the run of --run" }),
  noOpen: flag(false, { doc: "print the address and do not open the browser" }),
  port: int(0, { min: 0, max: 65535, doc: "port of the server", defaultText: "any free port" }),
  nodes: texts({
    value: "FILE",
    doc: "table with a node column; its other columns can colour the nodes. May be given several times",
  }),
  labels: text(undefined, {
    value: "FILE",
    doc: "table of node and label",
    defaultText: "the labels of the run or of the dataset folder",
  }),
  columns,
  ...GRAPH_OPTIONS,
  tsne: flag(false, { doc: `compute a t-SNE map of more than ${MAX_TSNE_NODES} nodes too, which takes minutes` }),
  run: text(undefined, {
    value: "DIR",
    doc: "keep the run of a SOURCE in this folder",
    defaultText: "a temporary folder, removed at the end",
  }),
  threads,
  ...TRAINED_OPTIONS,
};

export type ExploreArguments = Arguments<typeof EXPLORE_OPTIONS>;

/** The flags that only a training uses, as they were typed. */
export function trainedFlags({ flags }: ExploreArguments): (readonly [name: string, values: readonly string[]])[] {
  const names = Object.keys(TRAINED_OPTIONS).map(flagName);
  return [...flags].filter(([name]) => names.includes(name));
}
