/** Projections of an embedding to the plane. */

export { type PrincipalComponents, pca } from "./pca.js";
export { type TsneMap, type TsneOptions, type TsneProgress, tsne } from "./tsne.js";
export { TSNE_OPTIONS } from "./tsne-options.js";
