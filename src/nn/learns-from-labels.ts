import type { Model } from "./model.js";

/** Whether a model is semi-supervised: it learns from the labels of training nodes if there are any. */
export function learnsFromLabels({ uses = [] }: Pick<Model, "uses">): boolean {
  return uses.includes("labels");
}
