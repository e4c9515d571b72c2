/** Typed arrays within plain data: moved to shared memory for threads that read them, and found for threads that return them. */

type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array;

function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** The same data with every typed array in shared memory. `onCopy` receives the number of bytes of each array that is copied. */
export function withSharedArrays<T>(data: T, onCopy?: (bytes: number) => void): T;
export function withSharedArrays(data: unknown, onCopy?: (bytes: number) => void): unknown {
  if (isNumbers(data)) {
    if (data.buffer instanceof SharedArrayBuffer) return data;
    onCopy?.(data.byteLength);
    const bytes = new Uint8Array(new SharedArrayBuffer(data.byteLength));
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return Reflect.construct(data.constructor, [bytes.buffer]);
  }
  if (Array.isArray(data)) return data.map((entry) => withSharedArrays(entry, onCopy));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, withSharedArrays(value, onCopy)]));
}

/** The memory of all typed arrays in the data, each once. */
export function arrayBuffers(data: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const collect = (value: unknown): void => {
    if (isNumbers(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(data);
  return [...found];
}
