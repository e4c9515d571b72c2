/**
 * Fills the memory that a workgroup shares with garbage at the start of every kernel, for tests: Dawn is told not to clear this memory
 * (adapter.ts), so a kernel must write before it reads.
 */

import { InternalError } from "../../core/errors.js";

const DECLARATION = /^var<workgroup> (\w+): (.+);$/gm;
const ARRAY = /^array<(.+), (\d+)>$/;
const ENTRY = /^@compute @workgroup_size\((\d+)\)\nfn (\w+)\(.*\) \{$/gm;
const THREAD = "@builtin(local_invocation_index) thread: u32";

export function startWithGarbage(source: string): string {
  const shared = new Map([...source.matchAll(DECLARATION)].map(([, name, type]) => [name, type]));
  if (shared.size !== source.split("var<workgroup>").length - 1) {
    throw new InternalError("webgpu: shared memory that is declared in another way");
  }
  const parts = source.replaceAll(/\/\/.*/g, "").split(/^(?=fn |var|@)/m);
  const functions = new Map(parts.map((text) => [/^fn (\w+)/.exec(text)?.[1] ?? "", text]));
  return source.replace(ENTRY, (head: string, threads: string, entry: string) => {
    const used = [...reachable(entry, functions)].filter((name) => shared.has(name));
    if (used.length === 0) return head;
    if (!head.includes(THREAD)) throw new InternalError(`webgpu: no index of the thread in "${head}"`);
    return [head, ...used.map((name) => fill(name, shared.get(name)!, threads)), "  workgroupBarrier();"].join("\n");
  });
}

/** All names in a function and in those that it calls. */
function reachable(entry: string, functions: ReadonlyMap<string, string>): Set<string> {
  const found = new Set([entry]);
  for (const name of found) for (const [word] of (functions.get(name) ?? "").matchAll(/\w+/g)) found.add(word);
  return found;
}

/** A NaN as a float, outside of every memory as an index; not a constant, which could not be a NaN. */
const GARBAGE = "0x7fc00000u + launch.calls";

function fill(name: string, type: string, threads: string): string {
  const [, element, length] = ARRAY.exec(type) ?? [];
  if (element === undefined) return `  if (thread == 0u) { ${store(name, type)} }`;
  return `  for (var k = thread; k < ${length}u; k += ${threads}u) { ${store(`${name}[k]`, element)} }`;
}

function store(place: string, type: string): string {
  if (type.startsWith("atomic")) return `atomicStore(&${place}, ${GARBAGE});`;
  return `${place} = ${type}(${type.includes("u32") ? GARBAGE : `bitcast<f32>(${GARBAGE})`});`;
}
