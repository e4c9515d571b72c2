/**
 * The source of a shader: declarations that every kernel shares, constants of this variant, included files, the kernel.
 *
 * Memory consists of pages, because a storage binding has a maximum size: pages of floats and pages of words (indices, masks, sparse
 * matrices). An address is a number of 32-bit words from the first page on; with vector loads, of four words. A tensor may lie on
 * several pages. Kernels call `load`, `store`, `word` and `setWord` and never see a page.
 */

import { startWithGarbage } from "./garbage.js";

/** Words of the header of a launch: number of calls, workgroups of a row of the grid, workgroups in all, number of the phase. */
export const LAUNCH_HEADER = 4;
/** Calls that one dispatch can hold; a call takes four words of the launch. */
export const MAX_CALLS = 63;
/** Bytes of a launch: the uniform buffer of one dispatch. A multiple of 256, the largest alignment that WebGPU allows devices to require. */
export const LAUNCH_BYTES = 4 * (LAUNCH_HEADER + 4 * MAX_CALLS);

/** Pages of a program; all kernels of the program have the same bindings. */
export interface Pages {
  readonly floats: number;
  readonly words: number;
  /** Words of a page; a power of two. */
  readonly pageWords: number;
  /**
   * Whether the compiler may unroll loops whose bounds are constants. On a GPU this saves time; adapters that compute on the CPU take
   * seconds to compile such a loop, because they unroll it with everything in it.
   */
  readonly unrolls: boolean;
  /** Whether the memory that a workgroup shares starts with garbage (garbage.ts). */
  readonly startsWithGarbage: boolean;
}

/** What distinguishes the variants of a kernel. */
export interface Variant {
  readonly width: 1 | 4;
  readonly numOutputs: number;
  readonly attributeWords: number;
  readonly constants: Readonly<Record<string, number>>;
}

export function shaderSource(sources: readonly string[], variant: Variant, pages: Pages): string {
  const source = [declarations(variant, pages), ...sources].join("\n");
  return pages.startsWithGarbage ? startWithGarbage(source) : source;
}

function declarations({ width, numOutputs, attributeWords, constants }: Variant, pages: Pages): string {
  const { floats, words, pageWords, unrolls } = pages;
  const scalar = width === 1;
  const bits = scalar ? "u32" : "vec4<u32>";
  const shift = Math.log2(pageWords / width);
  const element = scalar ? "" : "[i & 3u]";
  const bindings = [
    ...names("floats", floats).map((name) => `${name}: array<Value>`),
    ...names("words", words).map((name) => `${name}: array<u32>`),
  ].map((declared, k) => `@group(0) @binding(${k + 2}) var<storage, read_write> ${declared};`);
  return `
alias Value = ${scalar ? "f32" : "vec4<f32>"};
// as many words, for the bits of a value
alias Bits = ${scalar ? "u32" : "vec4<u32>"};
const WIDTH = ${width}u;
const ATTRIBUTES_AT = ${3 * numOutputs}u;
const SCRATCH_AT = ${3 * numOutputs + attributeWords}u;
const INPUTS_AT = ${3 * numOutputs + attributeWords + 2}u;
${Object.entries(constants)
  .map(([name, value]) => `const ${name} = ${value}u;`)
  .join("\n")}
const MISSING = 0xffffffffu;

struct Launch { calls: u32, gridWidth: u32, groups: u32, phase: u32, table: array<vec4<u32>, ${MAX_CALLS}> }
@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> args: array<u32>;
${bindings.join("\n")}

// The call that a workgroup belongs to, and its number among the workgroups of that call; past the last one \`isIdle\`.
struct Block { args: u32, index: u32, count: u32, isIdle: bool }
fn findBlock(group: vec3<u32>) -> Block {
  let g = group.y * launch.gridWidth + group.x;
  var low = 0u;
  var high = launch.calls;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (launch.table[middle].x <= g) { low = middle; } else { high = middle; }
  }
  let call = launch.table[low];
  return Block(call.y, g - call.x + call.w, call.z, g >= launch.groups);
}

// a constant bound of a loop
fn limit(n: u32) -> u32 { return ${unrolls ? "n" : "min(n, n + launch.groups)"}; }

struct Tensor { at: u32, rows: u32, cols: u32 }
fn tensorAt(i: u32) -> Tensor { return Tensor(args[i], args[i + 1u], args[i + 2u]); }
fn output(b: Block, k: u32) -> Tensor { return tensorAt(b.args + 3u * k); }
fn input(b: Block, k: u32) -> Tensor { return tensorAt(b.args + INPUTS_AT + 3u * k); }
fn intAttribute(b: Block, k: u32) -> u32 { return args[b.args + ATTRIBUTES_AT + k]; }
fn floatAttribute(b: Block, k: u32) -> f32 { return bitcast<f32>(intAttribute(b, k)); }
fn floatScratch(b: Block) -> u32 { return args[b.args + SCRATCH_AT]; }
fn wordScratch(b: Block) -> u32 { return args[b.args + SCRATCH_AT + 1u]; }

// values: addresses in units of WIDTH floats
fn load(i: u32) -> Value { ${choose("floats", floats, "i", shift, (page, at) => `return ${page}[${at}];`)} }
fn store(i: u32, value: Value) { ${choose("floats", floats, "i", shift, (page, at) => `${page}[${at}] = value; return;`)} }
// one float, by its address in floats
fn scalar(i: u32) -> f32 { ${choose("floats", floats, scalar ? "i" : "(i >> 2u)", shift, (page, at) => `return ${page}[${at}]${element};`)} }
fn word(i: u32) -> u32 { ${choose("words", words, "i", Math.log2(pageWords), (page, at) => `return ${page}[${at}];`)} }
fn setWord(i: u32, value: u32) { ${choose("words", words, "i", Math.log2(pageWords), (page, at) => `${page}[${at}] = value; return;`)} }

// four floats from an address in floats; with vector loads a multiple of four
fn load4(i: u32) -> vec4<f32> { return ${scalar ? "vec4<f32>(scalar(i), scalar(i + 1u), scalar(i + 2u), scalar(i + 3u))" : "load(i >> 2u)"}; }

// the first \`count\` of four floats; with vector loads all four, at a multiple of four
fn storeRow(i: u32, v: vec4<f32>, count: u32) {
  ${scalar ? "store(i, v.x); if (count > 1u) { store(i + 1u, v.y); } if (count > 2u) { store(i + 2u, v.z); } if (count > 3u) { store(i + 3u, v.w); }" : "store(i >> 2u, v);"}
}

fn total(v: Value) -> f32 { return ${scalar ? "v" : "(v.x + v.y) + (v.z + v.w)"}; }
fn largest(v: Value) -> f32 { return ${scalar ? "v" : "max(max(v.x, v.y), max(v.z, v.w))"}; }
// from the bits: compilers may assume that floats are finite
fn isFinite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
// v with component k replaced
fn withComponent(v: Value, k: u32, x: f32) -> Value { ${scalar ? "return x;" : "var w = v; w[k] = x; return w;"} }
// max(v, 0), through which NaN passes
fn rectify(v: Value) -> Value {
  let isNan = (bitcast<${bits}>(v) & ${bits}(0x7fffffffu)) > ${bits}(0x7f800000u);
  return select(max(v, Value(0.0)), v, isNan);
}
// bit k: whether component k is positive
fn positiveBits(v: Value) -> u32 { ${scalar ? "return select(0u, 1u, v > 0.0);" : "let found = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), v > Value(0.0)); return found.x + found.y + found.z + found.w;"} }
// the components whose bit is set, otherwise 0
fn keepBits(v: Value, bits: u32) -> Value { return ${scalar ? "select(0.0, v, (bits & 1u) != 0u)" : "select(Value(0.0), v, (vec4<u32>(bits) & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>(0u))"}; }
`;
}

function names(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, k) => `${kind}${k}`);
}

/** Code that uses the page of an address. */
function choose(
  kind: string,
  count: number,
  address: string,
  shift: number,
  use: (page: string, at: string) => string,
): string {
  if (count === 1) return use(`${kind}0`, address);
  const inPage = `${address} & ${2 ** shift - 1}u`;
  const cases = names(kind, count).map((page, k) => {
    return `${k === count - 1 ? "default" : `case ${k}u`}: { ${use(page, inPage)} }`;
  });
  return `switch ${address} >> ${shift}u { ${cases.join(" ")} }`;
}
