/** A page with nothing but a map. The test and the bench call what is on `window`. */

import { createMapView, type MapView } from "../../src/explore/map/map-view.js";

declare global {
  interface Window {
    map: MapView;
    /** What the callbacks of the map reported, oldest first. */
    reports: [name: string, ...values: unknown[]][];
    showClusters(numNodes: number, numEdges: number): void;
    framesWhilePanning(seconds: number): Promise<number[]>;
  }
}

window.reports = [];
window.map = createMapView(document.getElementById("page")!, {
  onHover: (...values) => window.reports.push(["hover", ...values]),
  onClick: (node, { additive }) => window.reports.push(["click", node, additive]),
  onSelect: (nodes, { additive }) => window.reports.push(["select", [...nodes], additive]),
  onCamera: (camera) => window.reports.push(["camera", camera]),
});

/** Colours of Okabe and Ito. */
const COLORS = [
  [0, 114, 178],
  [230, 159, 0],
  [0, 158, 115],
  [204, 121, 167],
  [86, 180, 233],
  [213, 94, 0],
];

/** Clusters of different sizes and colours, with edges inside them. */
window.showClusters = (numNodes, numEdges) => {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const numClusters = 24;
  const centers = Array.from({ length: numClusters }, () => [50 * random(), 36 * random(), 0.6 + 2.2 * random()]);
  const positions = new Float32Array(2 * numNodes);
  const colors = new Uint8Array(4 * numNodes);
  const rank = new Float32Array(numNodes);
  for (let node = 0; node < numNodes; node++) {
    const cluster = Math.floor(numClusters * random() ** 1.4);
    const [x, y, spread] = centers[cluster];
    positions[2 * node] = x + spread * normal();
    positions[2 * node + 1] = y + spread * normal();
    colors.set([...COLORS[cluster % COLORS.length], 255], 4 * node);
    rank[node] = random();
  }
  window.map.setPositions(positions);
  window.map.setColors(colors);
  window.map.setLabels((node) => `node ${node}`, rank);
  const ends = Uint32Array.from({ length: 2 * numEdges }, () => Math.floor(numNodes * random()));
  const rgba = Uint8Array.from({ length: 4 * numEdges }, (_, i) => [120, 130, 140, 40][i % 4]);
  window.map.setEdges(ends, rgba);
};

/** Pans in a circle; returns the milliseconds between frames. */
window.framesWhilePanning = (seconds) =>
  new Promise((resolve) => {
    const times: number[] = [];
    const { x, y, scale } = window.map.camera;
    const began = performance.now();
    const step = (now: number) => {
      times.push(now);
      if (now - began > 1000 * seconds) {
        resolve(times.slice(1).map((time, i) => time - times[i]));
        return;
      }
      const angle = (now - began) / 300;
      window.map.camera = { x: x + (60 * Math.cos(angle)) / scale, y: y + (60 * Math.sin(angle)) / scale, scale };
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
