/** Words of device memory in pages: buffers of the size that one binding may have. */

/** Bytes that one call copies to the device: larger copies would need a staging buffer of their own size. */
const UPLOAD_BYTES = 2 ** 25;

/** The flags of GPUBufferUsage, which only pages have as a global. */
export const USAGE = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128 };

export class PagedMemory {
  readonly pages: readonly GPUBuffer[];
  readonly #device: GPUDevice;
  readonly #pageWords: number;

  constructor(device: GPUDevice, words: number, pageWords: number) {
    this.#device = device;
    this.#pageWords = pageWords;
    this.pages = Array.from({ length: numPages(words, pageWords) }, (_, k) => {
      const size = 4 * Math.max(16, Math.min(pageWords, words - k * pageWords));
      return device.createBuffer({ size, usage: USAGE.storage | USAGE.copySource | USAGE.copyTarget });
    });
  }

  /** Stores words from an address on, after the work that is already submitted. */
  write(at: number, data: Float32Array | Uint32Array): void {
    this.#forParts(at, data.length, UPLOAD_BYTES / 4, (page, inPage, first, count) => {
      const { buffer, byteOffset } = data.subarray(first, first + count);
      this.#device.queue.writeBuffer(page, 4 * inPage, buffer as ArrayBuffer, byteOffset, 4 * count);
    });
  }

  /** Records copies of words into a buffer. */
  copyTo(encoder: GPUCommandEncoder, at: number, length: number, target: GPUBuffer, targetByte: number): void {
    this.#forParts(at, length, Number.POSITIVE_INFINITY, (page, inPage, first, count) => {
      encoder.copyBufferToBuffer(page, 4 * inPage, target, targetByte + 4 * first, 4 * count);
    });
  }

  /** Visits the parts of a range: each lies on one page and has at most `max` words. */
  #forParts(
    at: number,
    length: number,
    max: number,
    visit: (page: GPUBuffer, inPage: number, first: number, count: number) => void,
  ): void {
    let first = 0;
    while (first < length) {
      const page = Math.floor((at + first) / this.#pageWords);
      const inPage = (at + first) % this.#pageWords;
      const count = Math.min(length - first, this.#pageWords - inPage, max);
      visit(this.pages[page], inPage, first, count);
      first += count;
    }
  }

  destroy(): void {
    for (const page of this.pages) page.destroy();
  }
}

export function numPages(words: number, pageWords: number): number {
  return Math.max(1, Math.ceil(words / pageWords));
}
