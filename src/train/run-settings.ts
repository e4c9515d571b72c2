/** How a run trains, whatever the model. */

export interface RunSettings {
  readonly seed: number;
  readonly epochs: number;
  readonly patience: number;
  readonly learningRate: number;
  /** The learning rate falls linearly over all steps to this share of itself. */
  readonly finalRate: number;
  readonly signal?: AbortSignal;
  /** What the work before the first epoch took. */
  readonly ahead: { readonly seconds: number; readonly peakBytes: number };
}
