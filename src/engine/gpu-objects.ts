/**
 * The objects of WebGPU that callers may pass, described by a few of their members. The library's declarations then compile in programs
 * without the types of browsers; real adapters and devices fit.
 */

/** A `GPUAdapter`, from `navigator.gpu.requestAdapter()`. */
export interface GpuAdapter {
  readonly info: { readonly vendor: string; readonly description: string };
  readonly limits: { readonly maxBufferSize: number };
  requestDevice(): Promise<GpuDevice>;
}

/** A `GPUDevice`, from `adapter.requestDevice()`. */
export interface GpuDevice {
  readonly limits: { readonly maxBufferSize: number };
  readonly queue: object;
  destroy(): void;
}
