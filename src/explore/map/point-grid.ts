/**
 * Finds points by place. A uniform grid over the positions holds the nodes of each cell in one array, sorted by cell; it is built in two
 * passes over the nodes. Coordinates are those of the map.
 */

import { type Bounds, boundsOf } from "./camera.js";

/** Points per cell if they were spread evenly; not tuned. */
const POINTS_PER_CELL = 4;
/** Maximum number of cells per side, which limits the memory to 16 MB. */
const MAX_SIDE = 2048;

export type IsVisible = (node: number) => boolean;

export class PointGrid {
  readonly #positions: Float32Array;
  readonly #bounds: Bounds;
  readonly #columns: number;
  readonly #rows: number;
  /** Cells per unit of the map. */
  readonly #perX: number;
  readonly #perY: number;
  /** Nodes of cell c: `#nodes` from `#cellStart[c]` to `#cellStart[c + 1]`. */
  readonly #cellStart: Uint32Array;
  readonly #nodes: Uint32Array;

  /** Nodes whose position is not a number are left out. */
  constructor(positions: Float32Array) {
    const numNodes = positions.length >> 1;
    this.#positions = positions;
    this.#bounds = boundsOf(positions) ?? { left: 0, right: 0, bottom: 0, top: 0 };
    const { left, right, bottom, top } = this.#bounds;
    const side = Math.max(1, Math.min(MAX_SIDE, Math.floor(Math.sqrt(numNodes / POINTS_PER_CELL))));
    this.#columns = right > left ? side : 1;
    this.#rows = top > bottom ? side : 1;
    this.#perX = right > left ? side / (right - left) : 0;
    this.#perY = top > bottom ? side / (top - bottom) : 0;

    const start = new Uint32Array(this.#columns * this.#rows + 1);
    for (let node = 0; node < numNodes; node++) {
      if (this.#isOnMap(node)) start[this.#cellOf(node) + 1]++;
    }
    for (let cell = 0; cell + 1 < start.length; cell++) start[cell + 1] += start[cell];
    this.#nodes = new Uint32Array(start[start.length - 1]);
    const next = start.slice();
    for (let node = 0; node < numNodes; node++) {
      if (this.#isOnMap(node)) this.#nodes[next[this.#cellOf(node)]++] = node;
    }
    this.#cellStart = start;
  }

  /** The visible node nearest to a point, at most `radius` away; -1: none. Of nodes at the same distance the last, which is drawn on top. */
  nearest(x: number, y: number, radius: number, isVisible: IsVisible = () => true): number {
    let best = -1;
    let bestSquare = radius * radius;
    this.#visit(x - radius, x + radius, y - radius, y + radius, (node) => {
      const square = (this.#positions[2 * node] - x) ** 2 + (this.#positions[2 * node + 1] - y) ** 2;
      if (square < bestSquare || (square === bestSquare && node > best)) {
        if (!isVisible(node)) return;
        best = node;
        bestSquare = square;
      }
    });
    return best;
  }

  /** The visible nodes in a rectangle, borders included, in ascending order. */
  inRectangle({ left, right, bottom, top }: Bounds, isVisible: IsVisible = () => true): Uint32Array {
    const found = new NodeList();
    this.#visit(left, right, bottom, top, (node) => {
      const x = this.#positions[2 * node];
      const y = this.#positions[2 * node + 1];
      if (x >= left && x <= right && y >= bottom && y <= top && isVisible(node)) found.add(node);
    });
    return found.sorted();
  }

  /** The visible nodes inside a polygon (x and y of each corner in turn), by the even-odd rule, in ascending order. */
  inPolygon(corners: readonly number[], isVisible: IsVisible = () => true): Uint32Array {
    const bounds = boundsOf(Float32Array.from(corners));
    const found = new NodeList();
    if (bounds === undefined) return found.sorted();
    this.#visit(bounds.left, bounds.right, bounds.bottom, bounds.top, (node) => {
      if (isInPolygon(this.#positions[2 * node], this.#positions[2 * node + 1], corners) && isVisible(node)) {
        found.add(node);
      }
    });
    return found.sorted();
  }

  /** Calls `visit` with the nodes of all cells that touch a rectangle. */
  #visit(left: number, right: number, bottom: number, top: number, visit: (node: number) => void): void {
    const firstColumn = this.#column(left);
    const lastColumn = this.#column(right);
    const lastRow = this.#row(top);
    for (let row = this.#row(bottom); row <= lastRow; row++) {
      // the cells of a row follow each other
      const end = this.#cellStart[row * this.#columns + lastColumn + 1];
      for (let i = this.#cellStart[row * this.#columns + firstColumn]; i < end; i++) visit(this.#nodes[i]);
    }
  }

  #isOnMap(node: number): boolean {
    return Number.isFinite(this.#positions[2 * node]) && Number.isFinite(this.#positions[2 * node + 1]);
  }

  #cellOf(node: number): number {
    return this.#row(this.#positions[2 * node + 1]) * this.#columns + this.#column(this.#positions[2 * node]);
  }

  #column(x: number): number {
    return Math.max(0, Math.min(this.#columns - 1, Math.floor((x - this.#bounds.left) * this.#perX)));
  }

  #row(y: number): number {
    return Math.max(0, Math.min(this.#rows - 1, Math.floor((y - this.#bounds.bottom) * this.#perY)));
  }
}

/** Whether a point is inside a polygon, by the even-odd rule: a ray to the right crosses an odd number of sides. */
export function isInPolygon(x: number, y: number, corners: readonly number[]): boolean {
  let inside = false;
  for (let i = 0, j = corners.length - 2; i < corners.length; j = i, i += 2) {
    const [x1, y1, x2, y2] = [corners[i], corners[i + 1], corners[j], corners[j + 1]];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}

/** A list of nodes that grows without an object for each node. */
class NodeList {
  #nodes = new Uint32Array(1024);
  #length = 0;

  add(node: number): void {
    if (this.#length === this.#nodes.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#nodes);
      this.#nodes = larger;
    }
    this.#nodes[this.#length++] = node;
  }

  sorted(): Uint32Array {
    return this.#nodes.slice(0, this.#length).sort();
  }
}
