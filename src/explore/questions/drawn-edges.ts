/** The edges that the map draws: those of some nodes or of all, in the relations that are on, up to a limit. */

import { relationColor, type Theme } from "./palette.js";
import type { RelationRows } from "./relation-rows.js";

export interface DrawnEdges {
  /** The two nodes of each edge in turn. */
  readonly ends: Uint32Array;
  /** Red, green, blue and opacity of each edge. */
  readonly colors: Uint8Array;
  /** Edges that the limit left out. */
  readonly leftOut: number;
}

export interface DrawnEdgesOptions {
  /** Edges of these nodes; undefined: of all. */
  readonly nodes?: Iterable<number>;
  /** 1 for each node that the map does not show: its edges are neither drawn nor counted. */
  readonly hidden?: Uint8Array;
  readonly theme: Theme;
  /** The most edges drawn. */
  readonly max?: number;
}

/** Edges drawn at once: more hide the nodes and each other. */
export const MAX_DRAWN_EDGES = 65_000;
/** Opacity of a few edges, and the least one; 255 is opaque. Not tuned. */
const OPACITY = 190;
const MIN_OPACITY = 20;
/** Edges from which on each is fainter, so that many do not hide the nodes. Not tuned. */
const FEW_EDGES = 100;

/** Each pair of nodes once per relation, loops left out. Above the limit the drawn edges are spread evenly over all. */
export function drawnEdges(relations: readonly RelationRows[], options: DrawnEdgesOptions): DrawnEdges {
  const { nodes, hidden, theme, max = MAX_DRAWN_EDGES } = options;
  const numNodes = relations.length === 0 ? 0 : relations[0].adjacency.rowStart.length - 1;
  const chosen = nodes === undefined ? undefined : [...new Set(nodes)].sort((a, b) => a - b);
  const isChosen = new Uint8Array(chosen === undefined ? 0 : numNodes);
  for (const node of chosen ?? []) isChosen[node] = 1;

  const visit = (see: (relation: number, a: number, b: number) => void) => {
    for (const { relation, adjacency } of relations) {
      const { rowStart, columns } = adjacency;
      const count = chosen?.length ?? numNodes;
      for (let i = 0; i < count; i++) {
        const a = chosen === undefined ? i : chosen[i];
        if (hidden?.[a] === 1) continue;
        for (let at = rowStart[a]; at < rowStart[a + 1]; at++) {
          const b = columns[at];
          // a pair of two chosen nodes is in both of their lists
          const seenFromOther = b < a && (chosen === undefined || isChosen[b] === 1);
          if (b !== a && !seenFromOther && hidden?.[b] !== 1) see(relation, a, b);
        }
      }
    }
  };

  let total = 0;
  visit(() => total++);
  const drawn = Math.min(total, max);
  const ends = new Uint32Array(2 * drawn);
  const colors = new Uint8Array(4 * drawn);
  const opacity = Math.max(MIN_OPACITY, OPACITY * Math.min(1, Math.sqrt(FEW_EDGES / Math.max(1, drawn))));
  const palette = new Map(relations.map(({ relation }) => [relation, relationColor(relation, theme)]));
  let seen = 0;
  let used = 0;
  visit((relation, a, b) => {
    // edge number s is drawn if the whole part of s · drawn / total grows with it: that happens `drawn` times, evenly spread
    seen++;
    if (Math.floor((seen * drawn) / total) === used) return;
    ends[2 * used] = a;
    ends[2 * used + 1] = b;
    colors.set([...palette.get(relation)!, opacity], 4 * used);
    used++;
  });
  return { ends, colors, leftOut: total - drawn };
}
