/**
 * Draws the map with WebGL2. Positions, colours and flags are uploaded once per change; a frame is at most five draw calls: edges, points
 * that are not selected, selected points, the hovered node, the focus.
 */

import {
  type ContentPart,
  DIM,
  type Frame,
  type MapContent,
  MIN_MARKED,
  type Renderer,
  type Rgb,
  RING,
  shownEdges,
} from "./renderer.js";
import {
  ATTRIBUTES,
  compilePrograms,
  type EdgeProgram,
  OFF_MAP,
  PARTS,
  type PointProgram,
  SELECTED,
} from "./webgl-programs.js";

const ALL_PARTS: ReadonlySet<ContentPart> = new Set(["positions", "colors", "emphasis", "edges"]);

export interface ContextEvents {
  /** The browser took the context away; nothing is drawn until it is restored. */
  onLost(): void;
  /** The context is back and has its content again; the next frame must be drawn. */
  onRestored(): void;
}

/** Undefined if the browser has no WebGL2. Throws if it has, but a shader does not compile. */
export function createWebglRenderer(canvas: HTMLCanvasElement, events: ContextEvents): Renderer | undefined {
  const antialias = !runsInSoftware();
  const gl = canvas.getContext("webgl2", { alpha: true, antialias, depth: false, premultipliedAlpha: true });
  return gl === null ? undefined : new WebglRenderer(canvas, gl, events);
}

/**
 * Whether the processor draws instead of a GPU. There smooth lines are slow: 2,000 points took 41 ms a frame with them and 27 ms without
 * (SwiftShader, 2 × Neoverse-N1 that had other work, 2026-11-18).
 */
function runsInSoftware(): boolean {
  if (inSoftware !== undefined) return inSoftware;
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl?.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  inSoftware = /swiftshader|llvmpipe|software|basic render/i.test(name);
  return inSoftware;
}

let inSoftware: boolean | undefined;

/** What lives in the context and is lost with it. */
interface Resources {
  readonly points: PointProgram;
  readonly edges: EdgeProgram;
  readonly pointArrays: WebGLVertexArrayObject;
  readonly edgeArrays: WebGLVertexArrayObject;
  readonly buffers: Readonly<Record<BufferName, WebGLBuffer>>;
}

type BufferName = "start" | "end" | "colors" | "flags" | "edgeStart" | "edgeEnd" | "edgeColors";

class WebglRenderer implements Renderer {
  readonly maxPoints = Infinity;
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #events: ContextEvents;
  #resources: Resources;
  #content: MapContent | undefined;
  #numEdges = 0;
  /** The step between points for which the attributes are bound; 0: they are not. */
  #step = 0;

  constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, events: ContextEvents) {
    this.#canvas = canvas;
    this.#gl = gl;
    this.#events = events;
    this.#resources = this.#create();
    canvas.addEventListener("webglcontextlost", this.#lose);
    canvas.addEventListener("webglcontextrestored", this.#restore);
  }

  update(content: MapContent, changed: ReadonlySet<ContentPart>): void {
    this.#content = content;
    if (this.#gl.isContextLost()) return;
    if (changed.has("positions")) {
      this.#upload("end", content.positions);
      this.#upload("start", content.start ?? new Float32Array());
      this.#step = 0;
    }
    if (changed.has("colors")) this.#upload("colors", content.colors);
    if (changed.has("positions") || changed.has("emphasis")) this.#upload("flags", flagsOf(content));
    if (changed.has("positions") || changed.has("colors") || changed.has("edges")) this.#uploadEdges(content);
  }

  draw(frame: Frame): void {
    const gl = this.#gl;
    const content = this.#content;
    if (content === undefined || gl.isContextLost()) return;
    gl.viewport(0, 0, this.#canvas.width, this.#canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (this.#numEdges > 0) {
      this.#use(this.#resources.edges, this.#resources.edgeArrays, frame);
      gl.drawArrays(gl.LINES, 0, 2 * Math.ceil(this.#numEdges / frame.steps.edges));
    }
    if (content.numNodes > 0) this.#drawPoints(content, frame);
    gl.bindVertexArray(null);
  }

  dispose(): void {
    this.#canvas.removeEventListener("webglcontextlost", this.#lose);
    this.#canvas.removeEventListener("webglcontextrestored", this.#restore);
    const { points, edges, pointArrays, edgeArrays, buffers } = this.#resources;
    for (const buffer of Object.values(buffers)) this.#gl.deleteBuffer(buffer);
    for (const { program } of [points, edges]) this.#gl.deleteProgram(program);
    for (const arrays of [pointArrays, edgeArrays]) this.#gl.deleteVertexArray(arrays);
    // browsers keep few contexts; a page that opens many maps in turn must give them back
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  readonly #lose = (event: Event): void => {
    // without this the browser never restores the context
    event.preventDefault();
    this.#events.onLost();
  };

  readonly #restore = (): void => {
    this.#resources = this.#create();
    if (this.#content !== undefined) this.update(this.#content, ALL_PARTS);
    this.#events.onRestored();
  };

  #drawPoints({ numNodes, selected, focus }: MapContent, frame: Frame): void {
    const gl = this.#gl;
    const { uniforms } = this.#resources.points;
    const { diameter, ratio, theme, hovered } = frame;
    this.#bindPoints(frame.steps.points);
    this.#use(this.#resources.points, this.#resources.pointArrays, frame);
    gl.uniform1f(uniforms.radius, (diameter * ratio) / 2);
    gl.uniform1f(uniforms.ring, 0);
    gl.uniform1f(uniforms.opacity, frame.opacity);
    gl.uniform4f(uniforms.toward, ...unitColor(theme.background), DIM);
    for (const part of selected === undefined ? [PARTS.all] : [PARTS.dimmed, PARTS.selected]) {
      gl.uniform1i(uniforms.part, part);
      gl.drawArrays(gl.POINTS, 0, Math.ceil(numNodes / frame.steps.points));
    }
    this.#bindPoints(1);
    gl.bindVertexArray(this.#resources.pointArrays);
    gl.uniform1i(uniforms.part, PARTS.all);
    gl.uniform1f(uniforms.opacity, 1);
    gl.uniform1f(uniforms.radius, (Math.max(diameter, MIN_MARKED) * ratio) / 2);
    for (const [node, width, color] of [
      [hovered, RING / 2, theme.text],
      [focus, RING, theme.focus],
    ] as const) {
      if (node < 0 || node >= numNodes) continue;
      gl.uniform1f(uniforms.ring, width * ratio);
      gl.uniform3f(uniforms.ringColor, ...unitColor(color));
      gl.drawArrays(gl.POINTS, node, 1);
    }
  }

  #use({ program, uniforms }: EdgeProgram, arrays: WebGLVertexArrayObject, { camera, size, progress }: Frame): void {
    const gl = this.#gl;
    gl.useProgram(program);
    gl.bindVertexArray(arrays);
    gl.uniform2f(uniforms.center, camera.x, camera.y);
    gl.uniform2f(uniforms.clipPerUnit, (2 * camera.scale) / size.width, (2 * camera.scale) / size.height);
    gl.uniform1f(uniforms.progress, progress);
  }

  #create(): Resources {
    const gl = this.#gl;
    const { points, edges } = compilePrograms(gl);
    const names: BufferName[] = ["start", "end", "colors", "flags", "edgeStart", "edgeEnd", "edgeColors"];
    const buffers = Object.fromEntries(names.map((name) => [name, gl.createBuffer()])) as Resources["buffers"];
    const resources = {
      points,
      edges,
      pointArrays: gl.createVertexArray(),
      edgeArrays: gl.createVertexArray(),
      buffers,
    };
    return resources;
  }

  #upload(name: BufferName, values: Float32Array | Uint8Array): void {
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, this.#resources.buffers[name]);
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, values, this.#gl.STATIC_DRAW);
  }

  /** Reads the attributes of every k-th node. Without a transition both places are the last one. */
  #bindPoints(step: number): void {
    if (step === this.#step) return;
    this.#step = step;
    const gl = this.#gl;
    const { pointArrays, buffers } = this.#resources;
    this.#bindArrays(pointArrays, this.#content?.start === undefined ? "end" : "start", "end", "colors", step);
    gl.bindVertexArray(pointArrays);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers.flags);
    gl.enableVertexAttribArray(ATTRIBUTES.flags);
    gl.vertexAttribIPointer(ATTRIBUTES.flags, 1, gl.UNSIGNED_BYTE, step, 0);
  }

  #bindArrays(
    arrays: WebGLVertexArrayObject,
    start: BufferName,
    end: BufferName,
    color: BufferName,
    step: number,
  ): void {
    const gl = this.#gl;
    gl.bindVertexArray(arrays);
    for (const [place, name] of [
      [ATTRIBUTES.start, start],
      [ATTRIBUTES.end, end],
    ] as const) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#resources.buffers[name]);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 8 * step, 0);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#resources.buffers[color]);
    gl.enableVertexAttribArray(ATTRIBUTES.color);
    gl.vertexAttribPointer(ATTRIBUTES.color, 4, gl.UNSIGNED_BYTE, true, 4 * step, 0);
  }

  /** The positions of both ends of each edge, so that its colour can be stored with them. */
  #uploadEdges(content: MapContent): void {
    const { ends, positions, start, edgeColors } = content;
    const shown = mixOrder(shownEdges(content));
    const colors = new Uint32Array(2 * shown.length);
    const edgeColor = new Uint32Array(edgeColors.slice().buffer);
    shown.forEach((edge, i) => {
      colors[2 * i] = colors[2 * i + 1] = edgeColor[edge];
    });
    const places = (source: Float32Array) => {
      const result = new Float32Array(4 * shown.length);
      shown.forEach((edge, i) => {
        for (let side = 0; side < 2; side++) {
          const node = ends[2 * edge + side];
          result[4 * i + 2 * side] = source[2 * node];
          result[4 * i + 2 * side + 1] = source[2 * node + 1];
        }
      });
      return result;
    };
    this.#numEdges = shown.length;
    this.#upload("edgeColors", new Uint8Array(colors.buffer));
    this.#upload("edgeEnd", places(positions));
    this.#upload("edgeStart", start === undefined ? new Float32Array() : places(start));
    const startBuffer = start === undefined ? "edgeEnd" : "edgeStart";
    this.#bindArrays(this.#resources.edgeArrays, startBuffer, "edgeEnd", "edgeColors", 1);
  }
}

/** The edges in another order, in which the first ones of any number are spread over the whole list. */
function mixOrder(edges: Uint32Array): Uint32Array {
  // steps of the golden ratio spread best; a step without a common divisor reaches every edge once
  let step = Math.max(1, Math.round(0.618 * edges.length));
  while (greatestCommonDivisor(step, edges.length) > 1) step++;
  let at = 0;
  return edges.map(() => {
    at = (at + step) % edges.length;
    return edges[at];
  });
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function flagsOf({ numNodes, positions, selected }: MapContent): Uint8Array {
  const flags = new Uint8Array(numNodes);
  for (let node = 0; node < numNodes; node++) {
    const isOnMap = Number.isFinite(positions[2 * node]) && Number.isFinite(positions[2 * node + 1]);
    flags[node] = (isOnMap ? 0 : OFF_MAP) | (selected?.[node] ? SELECTED : 0);
  }
  return flags;
}

function unitColor([red, green, blue]: Rgb): [number, number, number] {
  return [red / 255, green / 255, blue / 255];
}
