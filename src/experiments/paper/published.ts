/**
 * Published numbers, shown below ours with their source. Only tables and the sentences about differences use them.
 *
 * HMGE: Abdous, Mrabah, Bouguessa, "Hierarchical Aggregations for High-Dimensional Multiplex Graph Embedding", IEEE TKDE
 * 36(4), 2024: its tables of node classification and link prediction, and its figure of the synthetic graphs.
 * DMGI: Park, Kim, Han, Yu, AAAI 2020. HDMI: Jing, Park, Tong, WWW 2021.
 */

export interface PublishedScores {
  readonly source: string;
  readonly dataset: string;
  /** Names of the most similar public data sets, or of the same data set. */
  readonly near: readonly string[];
  /** Whether `near` are the files of the publication, with its split. */
  readonly same: boolean;
  readonly macroF1?: number;
  readonly microF1?: number;
  readonly auc?: number;
  readonly averagePrecision?: number;
}

const HMGE = { source: "HMGE paper", same: false };

/** The data sets of the HMGE paper; their files are no longer public. */
export const PUBLISHED: readonly PublishedScores[] = [
  {
    ...HMGE,
    dataset: "BIOGRID",
    near: ["biogrid7_species"],
    macroF1: 0.9875,
    microF1: 0.9877,
    auc: 0.7176,
    averagePrecision: 0.7017,
  },
  {
    ...HMGE,
    dataset: "STRING-DB",
    near: ["string_yeast6"],
    macroF1: 0.8033,
    microF1: 0.8208,
    auc: 0.6546,
    averagePrecision: 0.6284,
  },
  {
    ...HMGE,
    dataset: "DBLP-Authors",
    near: [],
    macroF1: 0.5752,
    microF1: 0.7176,
    auc: 0.6731,
    averagePrecision: 0.6721,
  },
  { ...HMGE, dataset: "IMDB", near: [], macroF1: 0.4302, microF1: 0.4316, auc: 0.5742, averagePrecision: 0.5577 },
  { source: "DMGI paper, DMGI", same: true, dataset: "ACM", near: ["dmgi_acm"], macroF1: 0.898, microF1: 0.898 },
  { source: "HDMI paper, HDMI", same: true, dataset: "ACM", near: ["dmgi_acm"], macroF1: 0.901, microF1: 0.901 },
];

/** Share of the labels that train the probes of the HMGE paper; on its four data sets 252/4211, 307/5124, 173/3000, 244/4083. */
export const PUBLISHED_LABEL_SHARE = 0.06;

/** The figure of the synthetic graphs, from the text of the paper. The share of the labels is not stated. */
export const PUBLISHED_SYNTHETIC = { relations: 41, accuracy: 0.83, others: "DMGI and HDMI below 70" } as const;

/**
 * Combination weights of the models published with the code, times the number of relations, and Pearson's correlation of
 * their scores α with their random start, which can be computed again from seed 0.
 */
export const PUBLISHED_WEIGHTS: readonly {
  readonly dataset: string;
  readonly relations: number;
  readonly smallest: number;
  readonly largest: number;
  readonly correlation: number;
}[] = [
  { dataset: "BIOGRID", relations: 15, smallest: 0.31, largest: 2.46, correlation: 0.626 },
  { dataset: "DBLP-Authors", relations: 10, smallest: 0.41, largest: 1.7, correlation: 0.753 },
  { dataset: "IMDB", relations: 8, smallest: 0.29, largest: 2.41, correlation: 0.98 },
  { dataset: "STRING-DB", relations: 7, smallest: 0.46, largest: 1.98, correlation: 0.929 },
];
