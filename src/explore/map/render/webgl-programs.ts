/** The two shader programs of the map and their uniforms. */

/** Places of the attributes in both programs. */
export const ATTRIBUTES = { start: 0, end: 1, color: 2, flags: 3 } as const;

/** Bits of a node's flags. */
export const SELECTED = 1;
export const OFF_MAP = 2;

/** Which points one draw call draws. */
export const PARTS = { all: 0, dimmed: 1, selected: 2 } as const;

const PLACE = `#version 300 es
precision highp float;
layout(location = ${ATTRIBUTES.start}) in vec2 start;
layout(location = ${ATTRIBUTES.end}) in vec2 end;
layout(location = ${ATTRIBUTES.color}) in vec4 color;
uniform vec2 center;      // of the camera, in units of the map
uniform vec2 clipPerUnit; // clip coordinates per unit of the map
uniform float progress;   // of the transition from start to end
vec4 place() {
  return vec4((mix(start, end, progress) - center) * clipPerUnit, 0.0, 1.0);
}`;

const POINT_VERTEX = `${PLACE}
layout(location = ${ATTRIBUTES.flags}) in uint flags;
uniform int part;         // PARTS
uniform float radius;     // of a point, in pixels of the device
uniform float ring;       // width of the ring and of the gap inside it; 0: no ring
uniform vec4 toward;      // colour that dims, and its share
uniform float opacity;    // of points that are not transparent by their colour
flat out vec4 fill;
out float extent;         // half the side of the point's square
void main() {
  bool isSelected = (flags & ${SELECTED}u) != 0u;
  bool isHidden = color.a == 0.0 || (flags & ${OFF_MAP}u) != 0u;
  bool isOther = (part == ${PARTS.dimmed} && isSelected) || (part == ${PARTS.selected} && !isSelected);
  extent = radius + 2.0 * ring + 0.5;
  gl_PointSize = 2.0 * extent;
  fill = vec4(color.rgb, color.a * opacity);
  if (part == ${PARTS.dimmed}) fill.rgb = mix(fill.rgb, toward.rgb, toward.a);
  gl_Position = isHidden || isOther ? vec4(2.0, 2.0, 2.0, 1.0) : place();
}`;

const POINT_FRAGMENT = `#version 300 es
precision highp float;
uniform float radius;
uniform float ring;
uniform vec4 toward;
uniform vec3 ringColor;
flat in vec4 fill;
in float extent;
out vec4 result;
void main() {
  float distance = length(gl_PointCoord - 0.5) * 2.0 * extent;
  float disc = clamp(radius + 0.5 - distance, 0.0, 1.0);
  // large points get a soft edge in the colour of the page, so that neighbours stay apart
  float edge = clamp(distance - radius + 1.5, 0.0, 1.0) * step(3.0, radius) * 0.45;
  vec4 shade = vec4(mix(fill.rgb, toward.rgb, edge), 1.0) * fill.a * disc;
  if (ring > 0.0) {
    float band = clamp(distance - radius - ring + 0.5, 0.0, 1.0) * clamp(radius + 2.0 * ring + 0.5 - distance, 0.0, 1.0);
    shade = shade * (1.0 - band) + vec4(ringColor, 1.0) * band;
  }
  if (shade.a == 0.0) discard;
  result = shade;
}`;

const EDGE_VERTEX = `${PLACE}
flat out vec4 fill;
void main() {
  fill = color;
  gl_Position = place();
}`;

const EDGE_FRAGMENT = `#version 300 es
precision mediump float;
flat in vec4 fill;
out vec4 result;
void main() {
  result = vec4(fill.rgb, 1.0) * fill.a;
}`;

const PLACE_UNIFORMS = ["center", "clipPerUnit", "progress"] as const;
const POINT_UNIFORMS = [...PLACE_UNIFORMS, "part", "radius", "ring", "toward", "opacity", "ringColor"] as const;

export interface Program<Name extends string> {
  readonly program: WebGLProgram;
  readonly uniforms: Readonly<Record<Name, WebGLUniformLocation | null>>;
}

export type PointProgram = Program<(typeof POINT_UNIFORMS)[number]>;
export type EdgeProgram = Program<(typeof PLACE_UNIFORMS)[number]>;

/** Throws if the context cannot compile a shader. */
export function compilePrograms(gl: WebGL2RenderingContext): { points: PointProgram; edges: EdgeProgram } {
  return {
    points: compile(gl, POINT_VERTEX, POINT_FRAGMENT, POINT_UNIFORMS),
    edges: compile(gl, EDGE_VERTEX, EDGE_FRAGMENT, PLACE_UNIFORMS),
  };
}

function compile<Name extends string>(
  gl: WebGL2RenderingContext,
  vertex: string,
  fragment: string,
  names: readonly Name[],
): Program<Name> {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) throw new Error("the context is lost");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(["the shaders do not compile", gl.getProgramInfoLog(program), ...logs].join("\n"));
  }
  const uniforms = Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)]));
  return { program, uniforms: uniforms as Record<Name, WebGLUniformLocation | null> };
}
