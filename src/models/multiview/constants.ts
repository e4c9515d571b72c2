/**
 * Every tuned number of the model, by facet: what it is, its unit, and the bench or measurement that chose it. "Not tuned": other
 * values were not compared. "Not recorded": no measurement of the choice is on record. The notebook is docs/notebook/default-model.md.
 * The constants of the diffusion are in nn/diffusion/, the defaults of the options in multiview.ts.
 */

/** Columns of the facets, as fractions of dim; `wide` is a dim. Not recorded. */
export const SHARES = {
  minEdges: 1 / 8,
  maxEdges: 3 / 8,
  /**
   * Maximum of the edges in a graph without features in which a relation is a union of cliques, see `minClosedOfCliques`. Every
   * clique is a direction of its own. Macro-F1 on planted cliques, 24 and 48 edge columns: 58.7 and 69.9; spectral-64 of the union
   * has 68.6. On dmgi_imdb without features 51.2 and 50.4.
   */
  maxEdgesOfCliques: 3 / 4,
  /** Share of closed paths (significance/closed-share.ts) of a union of cliques; it is 1 if they are disjoint. Not tuned. */
  minClosedOfCliques: 0.9,
  /** Further directions of the diffusion in a graph without features. */
  fineDiffusion: 1 / 4,
  /** The same in a vector that stands next to features, as a fraction of its columns. */
  fineBesideFeatures: 1 / 2,
  /** Maximum of each other facet in a graph without features. Spectral directions fill the rest. */
  maxWithoutFeatures: { infomax: 0, features: 0, "smoothed features": 0, diffusion: 1 / 8, degrees: 3 / 16 },
  /** The same in a graph with features. */
  maxWithFeatures: { infomax: 1 / 8, features: 1 / 4, "smoothed features": 1 / 4, diffusion: 1 / 8, degrees: 1 / 16 },
  /** From this width on, the edges of a graph with features may take the columns of the diffusion. Not tuned. */
  wide: 32,
  /**
   * Share of the variance that the features' own directions must explain to get all their columns. With less they get fewer in
   * proportion, and infomax gets the others: notebook, "Features that explain little".
   */
  fullFeatures: 1 / 2,
  /** Directions of the features that the encoder of the edges reads; they are not columns of the vector. */
  featureInputs: 1 / 2,
};

/** Root mean square length of a row in the columns of a facet. The facets of the features have the length of their variance. `node bench/run.mjs facet-constants` tests them. */
export const LENGTHS = {
  withoutFeatures: { diffusion: 1, degrees: 0.7, "fine diffusion": 0.7, spectral: 0.5, edges: 0.5 },
  /** Shorter, so that the facets of the features are the longest, unless the features are unrelated quantities (facets/joint-share.ts). */
  withFeatures: { diffusion: 0.35, degrees: 0.25, "fine diffusion": 0.25, spectral: 0.25, edges: 0.35 },
  /** Joint share (facets/joint-share.ts) of quantities below which the lengths with features approach those without. Other values were not compared. */
  jointFeatures: 0.25,
  /** Shorter facets are left out: few features may explain everything, and infomax then has length 0 up to rounding. */
  shortest: 1e-5,
  /** Infomax directions as inputs of the edges encoder; the directions of the features have length 1 there. */
  infomaxInput: 2,
  /**
   * Directions of the diffusion in the scores of the edges. AUC of the decoder without them and with length 0.7 and 1: 66.4, 69.0 and 70.4
   * on planted few-labels (seed 1; spectral cosine 70.4), mean over the relations of dkpol 94.5, 94.2 and 93.7 (seeds 2 to 4).
   */
  diffusionInScores: 0.8,
  /** Opposed directions in the scores of the edges. */
  opposedInScores: 0.5,
};

export const EDGES = {
  /** Standard deviation of the initial node table. Not tuned. */
  startDeviation: 0.1,
  /** Dropout rate of the feature directions; the rate of the table is an option. Not recorded. */
  featureDropout: 0.2,
  /** Weight of the self-loop in normalised adjacencies. Not recorded. */
  selfLoop: 1,
  /** Limits of the default batch, in edges. Not tuned. */
  maxBatch: 131_072,
  minBatch: 256,
  /** The maximum without a table, when few parameters are trained; a larger batch gave the same scores to three digits. */
  maxBatchWithoutTable: 16_384,
  /**
   * Time of a step without a table divided by that of a step with one, at the same batch size, for time estimates: 0.4 to 0.6 on
   * block models of 20,000 to 400,000 edges (`node bench/run.mjs estimates --fit`). The minimum is used.
   */
  timeWithoutTable: 0.4,
};

/** Columns of single relations, which only the decoder reads. */
export const RELATION_COLUMNS = {
  /**
   * Maximum number of columns of a relation. AUC of the decoder on dmgi_imdb with 32 and 64, mean over the relations: 96.7 and 96.9 (seed 1), 97.3 and 97.6
   * (seed 2). AUC of y_i·y_j on held-out edges of srrsc_yelp's relation BUB: 96.3, 96.9 and 97.3 with 16, 32 and 64 columns; common neighbours have 96.7.
   */
  max: 64,
  /** Relations with room for fewer columns get none. Not tuned. */
  min: 8,
  /** Maximum number of columns of all relations together; limits the time of the preparation. Not tuned. */
  maxOfAll: 512,
  /** Maximum number of values of all relations together; limits the memory to 64 MiB. */
  maxValues: 2 ** 24,
  /** Root mean square length of y over the nodes; a weight of 1 then has the effect that training needs. Not tuned. */
  length: 2,
  /**
   * Minimum share of the paths i–j–k of a relation whose ends i and k are neighbours. Chosen on held-out links, seed 1: relations
   * from 0.44 on gained (dmgi_imdb, dmgi_acm, planted cliques) or stayed equal; at 0.06 and 0.15 (gatne_amazon with half of its
   * edges) the decoder lost 0.7 points of AUC, because sparse relations fit their own edges.
   */
  minClosed: 0.3,
};

/** The test of directions (significance/). */
export const SIGNIFICANCE = {
  /** Minimum score of a significant direction, in standard deviations. Chance reaches it in less than 1 % of graphs if some hundred are tested. */
  minDeviations: 4,
  /** Minimum distance of an eigenvalue from the smallest one, relative to the last significant one, for `countOutstanding`. Not tuned. */
  minOutstanding: 0.75,
  /**
   * Maximum closure score (`closureScore`, in standard deviations) of any graph, and of all graphs together, at which the
   * significant directions count as complete. Graphs of planted groups have −11 to 2.6; parts of real graphs, 60 to 400 nodes,
   * have between 3.3 and 15 in one of their relations.
   */
  maxClosure: 3,
  maxClosureTogether: 3,
  /** Maximum number of edges of the second half whose paths are counted; limits the time. */
  maxClosedEdges: 5000,
  /** Number of random pairs, and about the maximum number of edges of a relation, whose features are compared; limits the time. Not tuned. */
  maxComparedPairs: 65_536,
  /** Maximum number of entries of features that these comparisons read, in all relations together, and the minimum number of pairs. Limits the time to a second or two. */
  maxComparedEntries: 1e9,
  minComparedPairs: 1024,
};

export const SPECTRAL = {
  /** Maximum number of directions that one relation adds. Not tuned. */
  maxOfRelation: 4,
  /** Maximum number of directions computed in all single relations together; later relations are not searched. Limits the time. */
  maxOfRelations: 256,
  /** Maximum number of opposed directions computed in a graph. Not tuned. */
  maxOpposed: 8,
  /** Maximum share of the columns for opposed directions. Not tuned. */
  opposedShare: 1 / 2,
  /**
   * Number and length of the untested directions in a graph without significant ones. Macro-F1 on the branches of a tree: 98
   * with 16 directions, 95 with 48. Macro-F1 on roles that follow from degrees (whose column has length 1): 58, 64 and 65
   * with directions of length 1, 0.3 and 0.1, and 86 without them.
   */
  maxFillers: 16,
  fillerLength: 0.3,
  /** Slope of the tanh, for entries of a unit vector times √n, which have root mean square 1. Not tuned. */
  squashSlope: 2.5,
  /** Minimum share of the squared length of a direction outside the known ones, for the direction to be new. Not tuned. */
  newShare: 0.25,
  /**
   * The same among the directions of single relations. Larger, because relations that share a direction contain it with
   * different noise, and the noise must not count as a new direction. Not recorded.
   */
  newShareOfRelations: 0.5,
};

export const DEGREES = {
  /**
   * Maximum number of columns of the matrix of degrees; if there are more relations, the degrees of consecutive ones are added. Limits the time of
   * the eigenvectors, which grows with its cube. Added degrees lose which relations a node is active in: macro-F1 of the columns of 120
   * planted relations, 160 nodes, with 64 and 512: notebook, "Many relations".
   */
  maxColumns: 512,
  /** Maximum size of the matrix in numbers; limits the memory to 128 MB. */
  maxNumbers: 2 ** 24,
  /** Maximum number of multiply-adds of the products of the columns; limits the time to a few seconds. */
  maxWork: 4e9,
  /**
   * Power of the standard deviation along a direction to which its column is scaled if there are more relations than columns. With 1 the activity
   * in all relations outweighs in which relations a node is active; with 0 all directions are equal. Chosen as in the diffusion, U·√s;
   * notebook, "Many relations".
   */
  powerOfMany: 1 / 2,
};

export const FEATURES = {
  /**
   * Rounds of the iteration that finds leading directions, each with one product; the first only makes the random start orthonormal. Not tuned; directions of
   * nearly equal size may stay mixed.
   */
  rounds: 9,
  /**
   * Maximum number of products of the smoothed features with a column that their variance takes: exact up to so many features,
   * a standard error of at most 1.6 % at 16 directions beyond.
   */
  varianceProbes: 128,
  /** Columns of one such product; limits the memory. */
  probeBlock: 32,
  /** Random projections that estimate the length of a row, to about a tenth. */
  lengthProjections: 64,
  /** Maximum number of quantities whose joint share is computed, and about the number of rows that it is computed from: at most a second. Not tuned. */
  maxJudged: 128,
  maxJudgedRows: 20_000,
};

/** Features that are values of categories (facets/category-facet.ts). */
export const CATEGORIES = {
  /** Minimum category share (facets/category-share.ts). It is 1 for categories and below 0.7 for answers and words. Not tuned. */
  minShare: 0.9,
  /** Maximum number of categories, and the minimum number of values of one: a few binary or ordinal questions have directions in common. Not tuned. */
  maxCategories: 8,
  minValues: 4,
  /** Minimum mean number of nodes that have a value: rarer values, such as names, say nothing of other nodes, and words may exclude each other by chance. Not tuned. */
  minHolders: 3,
  /** Maximum number of nodes that have a value and another one of its class, as a fraction of the number expected by chance. Not tuned. */
  maxBoth: 0.2,
  /** About the maximum number of entries that the search for classes reads; limits the time to a second. */
  maxComparedEntries: 200_000,
  /**
   * Minimum and maximum number of columns of the values, as fractions of dim. Macro-F1 of 40 values in 16, 24 and 40 columns, alone: 86.1, 87.8 and
   * 87.2; of 100 values 43.5, 60.5 and 74.7 (77.3 in 99): notebook, "Categories".
   */
  min: 3 / 8,
  max: 5 / 8,
  /** Columns of the categories in the surroundings, if neighbours share them, as a fraction of dim. */
  smoothed: 1 / 8,
  /** Columns that are left to the graph, beyond one for each significant direction, as a fraction of dim. Not tuned. */
  besideDirections: 1 / 4,
  /**
   * Root mean square length of a row. Macro-F1 of categories that the labels follow with 1, 1.5 and 2.2: 82.1, 83.6 and 85.3 (40 values), 80.9, 82.3 and
   * 87.0 (20 values); if they follow 16 and 25 groups, raw vectors have 82.5, 79.4 and 73.9, and 77.4, 67.2 and 60.7, standardised ones 82.4 and 81.9.
   */
  length: 1.5,
  /** Maximum number of quantities next to the categories, as a fraction of dim. Not tuned. */
  maxQuantities: 1 / 8,
};

/** The trainings of HDMI. */
export const INFOMAX = {
  /** Columns of each training; 256 columns were no better (notebook, "Tried and dropped"). */
  width: 64,
  /** Maximum number of epochs; 600 were no better (notebook, "Tried and dropped"). */
  epochs: 300,
  /** Epochs without a new smallest loss after which a training stops. Not recorded. */
  patience: 50,
  /**
   * HDMI's option `extrinsic` of each training, by the name of the training: the weight of the summary of the graph. Macro-F1 on the
   * splits of dmgi_imdb and dmgi_acm: 64 to 65 and 90 with both trainings; 62 and 90 with the loss of the summary only (notebook).
   */
  extrinsicWeights: { features: 0, summary: 3 },
};

/** The constants of the groups that `node bench/run.mjs groups-quality` varies. */
export interface GroupsConstants {
  /** Minimum adjusted Rand index of the groups of the two halves; 0: chance, 1: the same groups. */
  readonly minAgreement: number;
  /** Columns of X₀. Later directions are mostly noise, which averaging over neighbours does not remove. */
  readonly featureDirections: number;
  /** How often the columns are averaged over neighbours. */
  readonly hops: number;
  /** α, the share of the initial columns X₀ in each average. */
  readonly startShare: number;
  /** Principal columns that k-means reads. */
  readonly principal: number;
}

/** Chosen on planted groups and on dmgi_acm: `node bench/run.mjs groups-quality`, notebook, "Constants of the groups". */
export const GROUPS: GroupsConstants = {
  minAgreement: 0.6,
  featureDirections: 64,
  hops: 8,
  startShare: 0.2,
  principal: 8,
};

/** Limits of the groups. Not recorded. */
export const GROUP_LIMITS = {
  /** Minimum and maximum number of groups that are tried. */
  minGroups: 2,
  maxGroups: 8,
  /** Maximum number of nodes for k-means. In larger graphs it runs on a sample, and other nodes join the nearest centre. */
  maxNodes: 16_384,
  /** Maximum number of sampled edges per relation to estimate its weight. */
  maxCompared: 65_536,
};

/** The test whether edge weights are used. */
export const WEIGHTS = {
  /** Directions computed in addition to that of the degrees. Not tuned. */
  tried: 8,
  /** Relations whose directions are computed together; limits the memory. */
  atOnce: 16,
};
