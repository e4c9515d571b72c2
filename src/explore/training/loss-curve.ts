/** The loss of each epoch as a small curve. */

import type { Component } from "../dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 240;
const HEIGHT = 64;
/** Points that are drawn; more epochs than pixels are not seen. */
const MAX_POINTS = WIDTH;

export interface LossCurve extends Component {
  /** Draws the losses of all epochs so far. */
  update(losses: readonly number[]): void;
}

export function createLossCurve(host: HTMLElement): LossCurve {
  const line = document.createElementNS(SVG, "polyline");
  line.setAttribute("class", "loss-curve-line");
  const title = document.createElementNS(SVG, "title");
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "loss-curve");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("role", "img");
  svg.append(title, line);
  host.append(svg);
  const update = (losses: readonly number[]) => {
    const first = losses.at(0);
    const last = losses.at(-1);
    if (first === undefined || last === undefined) title.textContent = "Loss: no epoch yet";
    else
      title.textContent = `Loss: ${first.toPrecision(4)} in the first epoch, ${last.toPrecision(4)} in epoch ${losses.length}`;
    line.setAttribute("points", curvePoints(losses));
  };
  update([]);
  return { update, dispose: () => svg.remove() };
}

/** The points of the curve, from the largest loss at the top to the smallest at the bottom. */
export function curvePoints(losses: readonly number[]): string {
  const step = Math.max(1, Math.ceil(losses.length / MAX_POINTS));
  const shown = losses.filter((_, i) => i % step === 0 || i === losses.length - 1);
  const largest = shown.reduce((a, b) => Math.max(a, b), -Infinity);
  const smallest = shown.reduce((a, b) => Math.min(a, b), Infinity);
  const range = largest - smallest || 1;
  return shown
    .map((loss, i) => {
      const x = 2 + ((WIDTH - 4) * i) / Math.max(1, shown.length - 1);
      const y = 2 + ((HEIGHT - 4) * (largest - loss)) / range;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}
