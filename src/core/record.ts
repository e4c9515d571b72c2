/** What a run leaves behind beside its vectors: enough to repeat it and to judge it. */

/** Raised when a field changes its meaning. */
export const RECORD_FORMAT = 1;

export interface RelationRecord {
  readonly name: string;
  readonly edges: number;
  readonly weighted: boolean;
}

export interface GraphRecord {
  /** Content hash: equal graphs, equal hashes. */
  readonly hash: string;
  readonly nodes: number;
  readonly edges: number;
  readonly directed: boolean;
  readonly relations: readonly RelationRecord[];
  /** Nodes without an edge. */
  readonly isolated: number;
  /** Number of features; null without features. */
  readonly features: number | null;
  /** Their names, at most the first thousand. */
  readonly featureNames?: readonly string[];
  /** What the import met and changed. */
  readonly import: {
    readonly rows: number;
    readonly selfLoops: number;
    readonly parallelEdges: number;
    readonly zeroWeights: number;
    readonly tinyWeights?: number;
  };
  readonly files: readonly string[];
}

/** Labels that a semi-supervised model learnt from. */
export interface LabelsRecord {
  readonly file: string;
  /** The split whose training nodes these are; null where the file names them itself. */
  readonly split: string | null;
  readonly nodes: number;
  readonly classes: number;
  /** Equal labels of equal nodes, equal hashes. */
  readonly hash: string;
}

/** What the vectors alone tell. */
export interface VectorDiagnostics {
  /** Directions the vectors use, from 1 (all on a line) to dim (all alike). */
  readonly effectiveRank: number;
  /** Columns that are the same for every node. */
  readonly deadUnits: number;
  /** Mean cosine between a vector and the mean vector; near 1 the vectors hardly differ. */
  readonly meanCosineToMean: number;
}

/** How far the weights of the relations moved from their start, as a multiple of an equal share 1 / relations. */
export interface WeightMovement {
  /** Name of these weights. */
  readonly name: string;
  readonly max: number;
  readonly mean: number;
}

/** What is left in the vectors of each relation's leading spectral direction. */
export interface SpectralRecovery {
  readonly relations: readonly {
    readonly relation: string;
    /** Of the direction; null where the relation has fewer than three nodes. */
    readonly eigenvalue: number | null;
    /** Adjusted R², from 0 (nothing) to 1 (all); null where there are too few nodes to tell. */
    readonly r2: number | null;
  }[];
  /** Why `relations` is empty, if it is. */
  readonly note?: string;
}

export interface Diagnostics extends VectorDiagnostics {
  /** One for each of the record's `relationWeights`. */
  readonly weightMovement: readonly WeightMovement[];
  readonly spectralRecovery: SpectralRecovery;
}

export type OptionValue = string | number | boolean | readonly number[];

export interface RunRecord {
  readonly format: number;
  readonly version: string;
  /** When the run was first started, ISO 8601; a resumed run keeps it. */
  readonly started: string;
  /** When the record was written. */
  readonly created: string;
  /** What was given on the command line. */
  readonly command: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly preset: string;
  /** Every option of the model, as used. */
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly training: Readonly<Record<string, OptionValue>>;
  readonly seed: number;
  readonly graph: GraphRecord;
  /** Null where no labels were used in training. */
  readonly labels: LabelsRecord | null;
  readonly engine: { readonly description: string; readonly threads: number; readonly kernels: string };
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly platform: string;
    readonly node: string;
  };
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly bestLoss: number;
  readonly losses: readonly number[];
  readonly stopReason: "patience" | "epochs" | "aborted";
  /** Wall time of this process, but `train`, which counts the epochs before a resume too. */
  readonly seconds: {
    readonly load: number;
    readonly start: number;
    readonly train: number;
    readonly write: number;
    /** Diagnostics and the projection for the report. */
    readonly report: number;
    readonly total: number;
    /** Median. */
    readonly perEpoch: number;
  };
  readonly memory: { readonly peakBytes: number; readonly engineBytes: number; readonly estimatedBytes: number };
  /** What the model says about its relations, one number per relation of `graph`. */
  readonly relationWeights: readonly {
    readonly name: string;
    readonly initial: readonly number[];
    readonly final: readonly number[];
  }[];
  /** What the columns of the vectors hold, first to last; empty where the model does not tell them apart. */
  readonly views: readonly { readonly name: string; readonly width: number }[];
  /** What the model found out about the graph before training, a clause each. */
  readonly findings: readonly string[];
  readonly diagnostics: Diagnostics;
  /** Of the vectors: ids and bits. Absent in records of older versions. */
  readonly vectorsHash?: string;
  /** The file of a model of one's own. */
  readonly modelFile?: { readonly path: string; readonly sha256: string };
  /** Names of the files written, in the folder of this record. */
  readonly outputs: readonly string[];
  /** Of each relation the files of its vectors, where they were asked for; `target` where the two ends have vectors of their own. */
  readonly relationVectors?: readonly {
    readonly relation: string;
    readonly source: string;
    readonly target?: string;
  }[];
}

/** The first fields of every record of measurements: the command that made it, when, and on which machine. */
export interface RecordHead {
  readonly command: string;
  /** ISO 8601. */
  readonly date: string;
  readonly version: string;
  readonly engine: string;
  readonly machine: RunRecord["machine"];
}
