/** Edges of a dropped file as integer codes, which travel to a worker without a copy of each name. */

import type { EdgeList } from "../../index.js";

export interface CodedEdges {
  /** Names of nodes in the order in which they occur. */
  readonly ids: readonly string[];
  readonly relationNames: readonly string[];
  /** Index into `ids`, one per edge. */
  readonly source: Uint32Array<ArrayBuffer>;
  readonly target: Uint32Array<ArrayBuffer>;
  /** Index into `relationNames`, one per edge. */
  readonly relation: Uint32Array<ArrayBuffer>;
  readonly weight?: Float64Array<ArrayBuffer>;
}

/** The edges as columns of names, for `multiplexFromEdges`. */
export function toEdgeList({ ids, relationNames, source, target, relation, weight }: CodedEdges): EdgeList {
  const named = (codes: Uint32Array, names: readonly string[]) => Array.from(codes, (code) => names[code]);
  const edges = { source: named(source, ids), target: named(target, ids), relation: named(relation, relationNames) };
  return weight === undefined ? edges : { ...edges, weight };
}

/** Collects edges row by row. */
export class EdgeCollector {
  readonly #ids = new Map<string, number>();
  readonly #relations = new Map<string, number>();
  readonly #weighted: boolean;
  #source = new Uint32Array(1024);
  #target = new Uint32Array(1024);
  #relation = new Uint32Array(1024);
  #weight: Float64Array<ArrayBuffer>;
  #count = 0;

  constructor(weighted: boolean) {
    this.#weighted = weighted;
    this.#weight = new Float64Array(weighted ? 1024 : 0);
  }

  get count(): number {
    return this.#count;
  }

  add(source: string, target: string, relation: string, weight = 1): void {
    const at = this.#count++;
    if (at === this.#source.length) this.#grow();
    this.#source[at] = codeOf(source, this.#ids);
    this.#target[at] = codeOf(target, this.#ids);
    this.#relation[at] = codeOf(relation, this.#relations);
    if (this.#weighted) this.#weight[at] = weight;
  }

  end(): CodedEdges {
    const count = this.#count;
    return {
      ids: [...this.#ids.keys()],
      relationNames: [...this.#relations.keys()],
      source: this.#source.slice(0, count),
      target: this.#target.slice(0, count),
      relation: this.#relation.slice(0, count),
      ...(this.#weighted ? { weight: this.#weight.slice(0, count) } : {}),
    };
  }

  #grow(): void {
    const doubled = (codes: Uint32Array<ArrayBuffer>) => {
      const larger = new Uint32Array(2 * codes.length);
      larger.set(codes);
      return larger;
    };
    this.#source = doubled(this.#source);
    this.#target = doubled(this.#target);
    this.#relation = doubled(this.#relation);
    if (!this.#weighted) return;
    const weights = new Float64Array(2 * this.#weight.length);
    weights.set(this.#weight);
    this.#weight = weights;
  }
}

function codeOf(name: string, codes: Map<string, number>): number {
  const known = codes.get(name);
  if (known !== undefined) return known;
  codes.set(name, codes.size);
  return codes.size - 1;
}
