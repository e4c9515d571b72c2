/** Watches a device: an error that nobody expects, or a lost device, stops everything that uses it. */

import { InternalError, UnsupportedError } from "../../core/errors.js";

export class DeviceState {
  readonly device: GPUDevice;
  #failure: Error | undefined;
  /** Those who wait for the device. Not Promise.race, whose handlers stay with the promise that never settles: one for each epoch. */
  readonly #waiting = new Set<(error: Error) => void>();

  constructor(device: GPUDevice, name: string) {
    this.device = device;
    device.addEventListener("uncapturederror", ({ error }) => {
      this.#failure ??=
        error instanceof Error || !isOutOfMemory(error)
          ? new InternalError(`webgpu: ${firstLines(error.message)}`)
          : outOfMemory(name);
    });
    device.lost.then(
      ({ reason, message }) => {
        this.#failure ??= new UnsupportedError(
          `engine: the GPU ${name} was lost (${message || reason}): it was reset or removed, or its memory was full. Try again, or use --engine wasm.`,
        );
        for (const reject of this.#waiting) reject(this.#failure);
      },
      () => {},
    );
  }

  /** Throws if the device has failed. */
  require(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The result of an operation of the device, or the error of a device that failed meanwhile. */
  async wait<T>(operation: Promise<T>): Promise<T> {
    this.require();
    let leave = () => {};
    const failed = new Promise<never>((_, reject) => {
      this.#waiting.add(reject);
      leave = () => this.#waiting.delete(reject);
    });
    try {
      const result = await Promise.race([operation, failed]);
      this.require();
      return result;
    } catch (error) {
      this.require();
      throw error;
    } finally {
      leave();
    }
  }
}

function isOutOfMemory(error: GPUError): boolean {
  return error.constructor.name === "GPUOutOfMemoryError";
}

export function outOfMemory(name: string): UnsupportedError {
  return new UnsupportedError(
    `engine: the memory of the GPU ${name} is full; close other programs, use a smaller dim or tableWidth, or --engine wasm`,
  );
}

function firstLines(message: string): string {
  return message.split("\n").slice(0, 3).join(" ");
}
