/** The record of a run: everything needed to repeat and to judge it. */

/** Version of the record's format, increased when a field changes its meaning. */
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
  /** Counts of rows read, and of edges that were merged or dropped. */
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
  /** File of the split whose training nodes these are; null if the labels file has training nodes only. */
  readonly split: string | null;
  readonly nodes: number;
  readonly classes: number;
  /** Hash of nodes and labels. */
  readonly hash: string;
}

/** Diagnostics that need only the vectors. */
export interface VectorDiagnostics {
  /** Effective number of directions of the vectors, from 1 (all on a line) to dim (all directions alike). */
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

/** How much of each relation's leading spectral direction a linear map of the vectors recovers. */
export interface SpectralRecovery {
  readonly relations: readonly {
    readonly relation: string;
    /** Eigenvalue of the direction; null if the relation has fewer than three nodes. */
    readonly eigenvalue: number | null;
    /** Adjusted R², from 0 (nothing) to 1 (all); null if there are too few nodes. */
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

/** The engine of a run. */
export interface EngineRecord {
  /** Variant, and threads or the GPU. */
  readonly description: string;
  readonly threads: number;
  readonly kernels: string;
  /** The GPU that computed; `memory.engineBytes` are bytes of its memory. */
  readonly device?: string;
  /** The engine that `auto` chose, and the reason. */
  readonly choice?: string;
  /** Kernels of other engines that trained the epochs before a checkpoint. */
  readonly earlierKernels?: readonly string[];
}

export interface RunRecord {
  readonly format: number;
  readonly version: string;
  /** When the run was first started, ISO 8601; a resumed run keeps it. */
  readonly started: string;
  /** When the record was written. */
  readonly created: string;
  /** Sources and flags of the command line. */
  readonly command: Readonly<Record<string, unknown>>;
  /** The folder in which the command ran, relative to the folder of the run; left out if they have only the root in common. */
  readonly workingFolder?: string;
  readonly model: string;
  readonly preset: string;
  /** Every option of the model, as used. */
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly training: Readonly<Record<string, OptionValue>>;
  readonly seed: number;
  readonly graph: GraphRecord;
  /** Null if no labels were used in training. */
  readonly labels: LabelsRecord | null;
  readonly engine: EngineRecord;
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
  /** Wall time of this process; only `train` includes the epochs before a resume. */
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
  /** The model's weights of the relations, one number per relation of `graph`. */
  readonly relationWeights: readonly {
    readonly name: string;
    readonly initial: readonly number[];
    readonly final: readonly number[];
  }[];
  /** Groups of columns of the vectors, first to last; empty if the model names none. */
  readonly views: readonly { readonly name: string; readonly width: number }[];
  /** What the model found in the graph before training, one clause each. */
  readonly findings: readonly string[];
  readonly diagnostics: Diagnostics;
  /** Hash of the ids and the bits of the vectors. Absent in records of older versions. */
  readonly vectorsHash?: string;
  /** The file of the user's own model. */
  readonly modelFile?: { readonly path: string; readonly sha256: string };
  /** Names of the files written, in the folder of this record. */
  readonly outputs: readonly string[];
  /** The files of each relation's vectors, if --per-relation was given; `target` if the two ends have different vectors. */
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
