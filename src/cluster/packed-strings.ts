/** Many strings as bytes, for lists such as the ids of all nodes: a process that reads few of them does not build the others. */

import { InternalError } from "../core/errors.js";

export interface PackedStrings {
  /** Characters of all strings: one byte each, or the two bytes of a UTF-16 code unit if `wide`. */
  readonly text: Uint8Array;
  /** The end of each string in `text`, in characters. */
  readonly ends: Uint32Array;
  readonly wide: boolean;
}

/** The largest number of characters that `ends` can count. */
const MAX_CHARACTERS = 2 ** 32 - 1;
/** Characters that need two bytes. */
const WIDE = /[^\0-\xff]/;

export function packStrings(list: readonly string[]): PackedStrings {
  let length = 0;
  let wide = false;
  const ends = new Uint32Array(list.length);
  for (let i = 0; i < list.length; i++) {
    length += list[i].length;
    ends[i] = length;
    wide ||= WIDE.test(list[i]);
  }
  if (length > MAX_CHARACTERS) {
    throw new InternalError(`${length} characters in a list of strings; expected at most ${MAX_CHARACTERS}`);
  }
  const text = Buffer.allocUnsafe(wide ? 2 * length : length);
  let at = 0;
  for (const string of list) at += text.write(string, at, wide ? "utf16le" : "latin1");
  return { text, ends, wide };
}

/** A list whose strings are built when they are read, at each reading anew. `Array.isArray` is true. */
export function unpackStrings({ text, ends, wide }: PackedStrings): readonly string[] {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const scale = wide ? 2 : 1;
  const encoding = wide ? "utf16le" : "latin1";
  const indexOf = (key: string | symbol): number => {
    const index = typeof key === "string" ? Number(key) : Number.NaN;
    return Number.isInteger(index) && index >= 0 && index < ends.length && String(index) === key ? index : -1;
  };
  return new Proxy<string[]>([], {
    get(target, key) {
      if (key === "length") return ends.length;
      const index = indexOf(key);
      if (index < 0) return Reflect.get(target, key);
      return bytes.toString(encoding, index === 0 ? 0 : scale * ends[index - 1], scale * ends[index]);
    },
    has: (target, key) => indexOf(key) >= 0 || Reflect.has(target, key),
  });
}
