/** Reads the bytes of a dropped file in slices, and unpacks gzip. */

import { InputError } from "../../../index.js";
import { damagedGzip, trailingBytes, truncatedGzip } from "../../../tables.js";

/** Maximum size of the text of a file, in bytes: its columns take a few times as much memory, and a page has about 4 GB. Not tuned. */
export const MAX_TEXT_BYTES = 200e6;

/** Bytes of a slice: large enough to be fast, small enough to keep the page responsive (about 10 ms of work). Not tuned. */
const SLICE_BYTES = 1 << 18;

/** The error for a file that is too large for the page. */
export function tooLarge(path: string): InputError {
  return new InputError(
    `${path}: more than ${MAX_TEXT_BYTES / 1e6} MB of text; expected at most ${MAX_TEXT_BYTES / 1e6} MB in a page. Train it with the command line: hmge embed.`,
  );
}

/** Receives the number of bytes of the file that have been read. */
export type ByteListener = (bytesRead: number) => void;

/** The unpacked bytes of a plain or gzip file, in slices. Throws if they are more than MAX_TEXT_BYTES. */
export async function* unpack(file: File, gzip: boolean, onBytes: ByteListener = () => {}): AsyncGenerator<Uint8Array> {
  if (!gzip && file.size > MAX_TEXT_BYTES) throw tooLarge(file.name);
  let total = 0;
  for await (const bytes of gzip ? unpackGzip(file, onBytes) : slices(file, onBytes)) {
    total += bytes.length;
    if (total > MAX_TEXT_BYTES) throw tooLarge(file.name);
    yield bytes;
  }
}

async function* slices(blob: Blob, onBytes: ByteListener): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < blob.size; at += SLICE_BYTES) {
    const bytes = new Uint8Array(await blob.slice(at, at + SLICE_BYTES).arrayBuffer());
    onBytes(Math.min(at + SLICE_BYTES, blob.size));
    yield bytes;
  }
}

/**
 * Unpacks all members of a gzip file. Browsers unpack one member only, so the beginnings of members are searched: these bytes also occur
 * by chance inside a member, and then the part up to them is not complete and is joined with the next part.
 */
async function* unpackGzip(file: File, onBytes: ByteListener): AsyncGenerator<Uint8Array> {
  const starts = await memberStarts(file);
  for (let first = 0; first + 1 < starts.length; ) {
    const isLast = (next: number) => next + 1 === starts.length;
    if (isLast(first + 1)) {
      yield* unpackMember(file, starts[first], starts[first + 1], onBytes);
      return;
    }
    let next = first + 1;
    let member: Uint8Array[] | undefined;
    for (; member === undefined; next++) {
      try {
        member = [];
        for await (const bytes of unpackMember(file, starts[first], starts[next], onBytes)) member.push(bytes);
        break;
      } catch (error) {
        if (!(error instanceof InputError) || isLast(next)) throw error;
        member = undefined;
      }
    }
    yield* member;
    first = next;
  }
}

/** Offsets at which a member may begin, and the size of the file. */
async function memberStarts(file: File): Promise<number[]> {
  const starts: number[] = [];
  let before = new Uint8Array(0);
  let offset = 0;
  for await (const slice of slices(file, () => {})) {
    const bytes = new Uint8Array(before.length + slice.length);
    bytes.set(before);
    bytes.set(slice, before.length);
    const begin = offset - before.length;
    for (let at = bytes.indexOf(0x1f); at >= 0 && at + 3 < bytes.length; at = bytes.indexOf(0x1f, at + 1)) {
      // The magic bytes, the method deflate, and flags of which the upper three are reserved.
      const isStart = bytes[at + 1] === 0x8b && bytes[at + 2] === 8 && bytes[at + 3] < 0x20;
      if (isStart && begin + at !== starts.at(-1)) starts.push(begin + at);
    }
    before = bytes.slice(-3);
    offset += slice.length;
  }
  if (starts[0] !== 0) starts.unshift(0);
  return [...starts, file.size];
}

async function* unpackMember(
  file: File,
  start: number,
  end: number,
  onBytes: ByteListener,
): AsyncGenerator<Uint8Array> {
  let read = start;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      read += bytes.length;
      onBytes(read);
      controller.enqueue(bytes);
    },
  });
  const packed = file.slice(start, end).stream().pipeThrough(counter);
  const reader = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw gzipFault(error, file.name);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function gzipFault(error: unknown, path: string): unknown {
  if (error instanceof InputError || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause.message : error.message;
  if (/truncated|unexpected end/i.test(cause)) return truncatedGzip(path);
  if (/junk|trailing|incorrect header/i.test(cause)) return trailingBytes(path);
  return damagedGzip(path, cause.replace(/^The compressed data was not valid: |\.$/g, ""));
}
