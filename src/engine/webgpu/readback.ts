/**
 * Copies from the device to the host. Small results, such as losses, share a buffer, which is mapped once for all copies that were
 * recorded before the host waits: a step does not wait for its loss.
 */

import { USAGE } from "./memory.js";

/** Bytes of the shared buffer. */
const SHARED_BYTES = 2 ** 16;
/** Largest copy that goes into the shared buffer. */
const SMALL_BYTES = 2 ** 12;

interface Batch {
  readonly buffer: GPUBuffer;
  used: number;
  /** Resolves when the buffer is mapped. */
  readonly mapped: Promise<ArrayBuffer>;
  waiting: number;
}

/** Records a copy of `bytes` into a buffer, from byte `to` on. */
type Copy = (target: GPUBuffer, to: number) => void;

export class Readback {
  readonly #device: GPUDevice;
  /** Submits what is recorded. */
  readonly #submit: () => void;
  readonly #free: GPUBuffer[] = [];
  #batch: Batch | undefined;

  constructor(device: GPUDevice, submit: () => void) {
    this.#device = device;
    this.#submit = submit;
  }

  /** The bytes that `copy` records. */
  async read(bytes: number, copy: Copy): Promise<ArrayBuffer> {
    return bytes <= SMALL_BYTES ? this.#readShared(bytes, copy) : this.#readAlone(bytes, copy);
  }

  async #readAlone(bytes: number, copy: Copy): Promise<ArrayBuffer> {
    const buffer = this.#device.createBuffer({ size: bytes, usage: USAGE.mapRead | USAGE.copyTarget });
    copy(buffer, 0);
    this.#submit();
    await buffer.mapAsync(1);
    const copied = buffer.getMappedRange().slice(0);
    buffer.destroy();
    return copied;
  }

  async #readShared(bytes: number, copy: Copy): Promise<ArrayBuffer> {
    if (this.#batch !== undefined && this.#batch.used + bytes > SHARED_BYTES) this.#batch = undefined;
    this.#batch ??= this.#open();
    const batch = this.#batch;
    const at = batch.used;
    batch.used += Math.ceil(bytes / 16) * 16;
    batch.waiting++;
    copy(batch.buffer, at);
    const copied = (await batch.mapped).slice(at, at + bytes);
    if (--batch.waiting === 0) {
      batch.buffer.unmap();
      this.#free.push(batch.buffer);
    }
    return copied;
  }

  /** A batch that is mapped at the end of the current turn. */
  #open(): Batch {
    const buffer =
      this.#free.pop() ?? this.#device.createBuffer({ size: SHARED_BYTES, usage: USAGE.mapRead | USAGE.copyTarget });
    const map = async () => {
      // all copies that the caller records before it waits
      await undefined;
      if (this.#batch?.buffer === buffer) this.#batch = undefined;
      this.#submit();
      await buffer.mapAsync(1);
      return buffer.getMappedRange();
    };
    return { buffer, used: 0, mapped: map(), waiting: 0 };
  }

  destroy(): void {
    for (const buffer of this.#free) buffer.destroy();
  }
}
