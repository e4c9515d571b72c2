/** What a visitor has chosen on the page: the part that a link or a saved file restores. */

/** A map by its name in the scene, or two columns of the vectors. */
export type MapChoice = { readonly name: string } | { readonly columns: readonly [number, number] };

export interface Camera {
  /** Centre of the view, in units of the map. */
  readonly x: number;
  readonly y: number;
  /** Pixels per unit of the map. */
  readonly scale: number;
}

/** Edges of selected nodes, edges between two of them, all edges, or none. */
export type EdgeChoice = "selection" | "inside" | "all" | "none";

export interface State {
  readonly map: MapChoice;
  /** Undefined: the whole map. */
  readonly camera?: Camera;
  /** Names of the relations that are on. */
  readonly relations: readonly string[];
  /** Whose edges are drawn; undefined: the visitor has not chosen (`edgeChoice`). */
  readonly edges?: EdgeChoice;
  /** Name of the attribute that colours the nodes; undefined: one colour. */
  readonly color?: string;
  /** Name of the attribute whose texts stand for the nodes; undefined: their ids do. */
  readonly labels?: string;
  /** Categories of the colouring attribute that the legend hides; null: nodes without a value. */
  readonly hidden: readonly (string | null)[];
  /** Place of the run whose vectors the panels show, if there are two; undefined: the first. */
  readonly run?: number;
  /** Id of the node that the panel describes. */
  readonly focus?: string;
  /** Ids of the selected nodes. */
  readonly selected: readonly string[];
}

/** Whose edges are drawn. Unless the visitor chose, a selection of several nodes shows the edges inside it: others would hide them. */
export function edgeChoice({ edges, selected }: Pick<State, "edges" | "selected">): EdgeChoice {
  return edges ?? (selected.length > 1 ? "inside" : "selection");
}

export type Listener = (state: State, changed: ReadonlySet<keyof State>) => void;

/** Holds the state and tells every listener what changed. */
export class Store {
  #state: State;
  readonly #listeners = new Set<Listener>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  /** Changes some values; values that stay the same object are not reported. */
  set(patch: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const key of Object.keys(patch) as (keyof State)[]) {
      if (this.#state[key] !== patch[key]) changed.add(key);
    }
    if (changed.size === 0) return;
    this.#state = { ...this.#state, ...patch };
    for (const listener of [...this.#listeners]) listener(this.#state, changed);
  }

  /** Calls the listener after every change; returns a function that ends this. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
