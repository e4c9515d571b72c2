/**
 * A scene: all that the explorer shows of one run. The map's arrays are there at once; the larger ones are fetched when a part of the
 * page first needs them.
 */

/** What the page knows of a scene before it has its arrays. */
export interface SceneHeader {
  /** Version of this format. */
  readonly format: 1;
  /** Version of the program that wrote it. */
  readonly program: string;
  readonly title: string;
  readonly numNodes: number;
  /** Width of the vectors. */
  readonly dim: number;
  readonly model: string;
  readonly seed: number;
  /** Facets of the vector in the order of their columns; empty for models without facets. */
  readonly facets: readonly Facet[];
  /** Names of the maps; the first is shown at first. */
  readonly maps: readonly string[];
  readonly relations: readonly RelationFacts[];
  readonly directed: boolean;
  readonly attributes: readonly AttributeFacts[];
  /** How the decoder scores a pair; absent if the scene has no decoder. */
  readonly decoder?: "dot" | "cosine";
  /** Lines for the reader, such as why edges or predictions are missing. */
  readonly notes: readonly string[];
}

export interface Facet {
  readonly name: string;
  readonly width: number;
  /** What its columns hold, in one sentence, if the model says so. */
  readonly doc?: string | undefined;
}

export interface RelationFacts {
  readonly name: string;
  readonly numEdges: number;
  readonly weighted: boolean;
}

/** A property of the nodes by which they can be coloured. */
export type AttributeFacts = AttributeOrigin &
  (
    | { readonly name: string; readonly kind: "category"; readonly categories: readonly string[] }
    | { readonly name: string; readonly kind: "number" }
  );

/** What an attribute is, if the program computed it. */
export interface AttributeOrigin {
  /** One sentence for the reader. */
  readonly doc?: string | undefined;
  /** Whether it was computed from the vectors. It then cannot confirm what the vectors show. */
  readonly fromVectors?: boolean | undefined;
}

export type CategoryAttribute = Extract<AttributeFacts, { kind: "category" }> & {
  /** Index into `categories`; -1: the node has none. */
  readonly codes: Int32Array;
};

export type Attribute =
  | CategoryAttribute
  | (Extract<AttributeFacts, { kind: "number" }> & {
      /** NaN: the node has none. */
      readonly values: Float32Array;
    });

export interface NodeMap {
  readonly name: string;
  /** x and y of each node in turn; NaN for a node that is not on the map. */
  readonly positions: Float32Array;
}

/** The neighbours of each node in one relation, in both directions of an edge. */
export interface Adjacency {
  /** Neighbours of node i: `columns` from `rowStart[i]` to `rowStart[i + 1]`. */
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly weights?: Float32Array;
  /** `OUTGOING`, `INCOMING` or both bits for each neighbour; undefined if edges have no direction. */
  readonly directions?: Uint8Array;
}

/** Bits of `directions`: an edge to the neighbour, an edge from the neighbour. */
export const OUTGOING = 1;
export const INCOMING = 2;

/** Vectors whose inner product (or cosine) scores a pair (i, j) in one relation: source of i, target of j. */
export interface DecoderVectors {
  readonly width: number;
  readonly source: Float32Array;
  /** The same as `source` if the relation is symmetric. */
  readonly target: Float32Array;
}

export interface Scene {
  readonly header: SceneHeader;
  readonly ids: readonly string[];
  readonly maps: readonly NodeMap[];
  readonly attributes: readonly Attribute[];
  /** The column whose texts stand for the nodes, as the visitor chose; undefined: their ids do. */
  readonly names?: CategoryAttribute | undefined;
  /** `numNodes × dim`, row by row. */
  vectors(): Promise<Float32Array>;
  adjacency(relation: number): Promise<Adjacency>;
  /** Undefined if the scene has no decoder. */
  decoder(relation: number): Promise<DecoderVectors | undefined>;
}
