/** Draws at most 20,000 points of the map on a 2D canvas, for browsers without WebGL. */

import { toScreen } from "../camera.js";
import {
  type ContentPart,
  DIM,
  type Frame,
  isShown,
  type MapContent,
  MIN_MARKED,
  type Renderer,
  type Rgb,
  RING,
  shownEdges,
} from "./renderer.js";
import { MAX_SAMPLE, samplePoints } from "./sample-points.js";

/** Nodes or edges of one colour, which are drawn together. */
interface Group {
  readonly color: readonly [red: number, green: number, blue: number, alpha: number];
  readonly members: readonly number[];
}

export function createCanvasRenderer(canvas: HTMLCanvasElement): Renderer {
  const context = canvas.getContext("2d");
  let content: MapContent | undefined;
  let dimmed: Group[] = [];
  let marked: Group[] = [];
  let edges: Group[] = [];

  /** Draws a path for the members of each group; positions are mixed as the transition goes on. */
  function draw(frame: Frame): void {
    if (context === null || content === undefined) return;
    const { size, ratio, theme, diameter } = frame;
    const place = placeOf(content, frame);
    const radius = diameter / 2;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    const { ends } = content;
    for (const { color, members } of edges) {
      context.strokeStyle = css(color);
      context.beginPath();
      for (const edge of members) {
        context.moveTo(...place(ends[2 * edge]));
        context.lineTo(...place(ends[2 * edge + 1]));
      }
      context.stroke();
    }
    const drawPoints = (groups: readonly Group[], dim: number) => {
      for (const { color, members } of groups) {
        context.fillStyle = css(mixColor(color, theme.background, dim));
        context.beginPath();
        for (const node of members) {
          const [x, y] = place(node);
          if (x < -radius || y < -radius || x > size.width + radius || y > size.height + radius) continue;
          context.moveTo(x + radius, y);
          context.arc(x, y, radius, 0, 2 * Math.PI);
        }
        context.fill();
      }
    };
    drawPoints(dimmed, DIM);
    drawPoints(marked, 0);
    drawRing(frame.hovered, RING / 2, theme.text);
    drawRing(content.focus, RING, theme.focus);

    function drawRing(node: number, width: number, color: Rgb): void {
      if (context === null || content === undefined || node < 0 || node >= content.numNodes || !isShown(content, node))
        return;
      const [x, y] = place(node);
      const inner = Math.max(diameter, MIN_MARKED) / 2;
      context.fillStyle = css([...content.colors.subarray(4 * node, 4 * node + 4)] as [number, number, number, number]);
      context.beginPath();
      context.arc(x, y, inner, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = css([...color, 255]);
      context.lineWidth = width;
      context.beginPath();
      context.arc(x, y, inner + 1.5 * width, 0, 2 * Math.PI);
      context.stroke();
      context.lineWidth = 1;
    }
  }

  return {
    maxPoints: MAX_SAMPLE,
    update(changedContent: MapContent, _changed: ReadonlySet<ContentPart>) {
      content = changedContent;
      const { selected, colors, edgeColors } = content;
      const sample = samplePoints(shownNodes(content), content, MAX_SAMPLE);
      dimmed = groupByColor(
        selected === undefined ? new Uint32Array() : sample.filter((node) => !selected[node]),
        colors,
      );
      marked = groupByColor(selected === undefined ? sample : sample.filter((node) => selected[node]), colors);
      edges = groupByColor(shownEdges(content), edgeColors);
    },
    draw,
    dispose() {
      content = undefined;
    },
  };
}

function shownNodes(content: MapContent): Uint32Array {
  const nodes = new Uint32Array(content.numNodes);
  let count = 0;
  for (let node = 0; node < content.numNodes; node++) {
    if (isShown(content, node)) nodes[count++] = node;
  }
  return nodes.subarray(0, count);
}

function placeOf({ positions, start }: MapContent, { camera, size, progress }: Frame) {
  const from = start ?? positions;
  return (node: number): [number, number] => {
    const x = from[2 * node] + (positions[2 * node] - from[2 * node]) * progress;
    const y = from[2 * node + 1] + (positions[2 * node + 1] - from[2 * node + 1]) * progress;
    return toScreen(camera, size, x, y);
  };
}

/** Groups members whose 4 bytes in `colors` are the same; groups without opacity are left out. */
function groupByColor(members: Uint32Array, colors: Uint8Array): Group[] {
  const groups = new Map<number, number[]>();
  const words = new DataView(colors.buffer, colors.byteOffset, colors.byteLength);
  for (const member of members) {
    const word = words.getUint32(4 * member);
    const group = groups.get(word);
    if (group === undefined) groups.set(word, [member]);
    else group.push(member);
  }
  return [...groups]
    .filter(([word]) => (word & 255) !== 0)
    .map(([word, list]) => ({
      color: [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255],
      members: list,
    }));
}

function mixColor([red, green, blue, alpha]: Group["color"], toward: Rgb, share: number): Group["color"] {
  const mix = (own: number, other: number) => Math.round(own + (other - own) * share);
  return [mix(red, toward[0]), mix(green, toward[1]), mix(blue, toward[2]), alpha];
}

function css([red, green, blue, alpha]: Group["color"]): string {
  return `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
}
