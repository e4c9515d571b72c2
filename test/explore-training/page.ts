/** A page with nothing but the panel that trains; the test reads what the panel reports. */

import { createTrainingPanel, type TrainingPanel } from "../../src/explore/training/training-panel.js";

export interface Reported {
  snapshots: { readonly epoch: number; readonly positions: readonly number[] }[];
  results: {
    readonly title: string;
    readonly kernels: string;
    readonly ids: readonly string[];
    readonly dim: number;
    /** Bytes of the vectors in hexadecimal digits. */
    readonly vectors: string;
    readonly losses: readonly number[];
    readonly facets: readonly { readonly name: string; readonly width: number }[];
    readonly decoderWidths: readonly number[];
    readonly notes: readonly string[];
    readonly stopped: boolean;
    readonly seconds: number;
  }[];
}

declare global {
  interface Window {
    panel: TrainingPanel;
    reported: Reported;
  }
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

window.reported = { snapshots: [], results: [] };
window.panel = createTrainingPanel(document.getElementById("page") ?? document.body, {
  onSnapshot: ({ epoch, positions }) => window.reported.snapshots.push({ epoch, positions: [...positions] }),
  onTrained: (result) =>
    window.reported.results.push({
      title: result.title,
      kernels: result.kernels,
      ids: result.graph.ids,
      dim: result.dim,
      vectors: hex(new Uint8Array(result.vectors.buffer)),
      losses: result.losses,
      facets: result.facets,
      decoderWidths: result.decoder?.relations.map(({ width }) => width) ?? [],
      notes: result.notes,
      stopped: result.stopped,
      seconds: result.preparationSeconds + result.epochSeconds,
    }),
});
