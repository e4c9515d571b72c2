/** Labels over the map: HTML text, chosen when the camera rests and moved with the map before that. */

import type { Camera } from "../app/state/state.js";
import { type Component, element } from "../dom.js";
import { type Size, toScreen } from "./camera.js";
import { type LabelRequest, MAX_LABELS, type PlacedLabel, placeLabels } from "./label-placement.js";

/** Maximum width of a label in pixels; longer texts end with an ellipsis. The same as in `.map-labels-label`. */
export const MAX_LABEL_WIDTH = 150;

export interface MapLabels extends Component {
  readonly placed: readonly PlacedLabel[];
  /** Chooses and shows new labels. */
  place(request: Omit<LabelRequest, "measure">): void;
  /** Moves the labels to where their nodes are now. */
  move(positions: Float32Array, camera: Camera, size: Size): void;
  clear(): void;
  /** The labels with long texts shortened, for files in which CSS cannot do it. */
  shortened(): PlacedLabel[];
}

export function createMapLabels(host: HTMLElement): MapLabels {
  const layer = element("div", { class: "map-labels", "aria-hidden": "true" });
  host.append(layer);
  const spare: HTMLSpanElement[] = [];
  for (let i = 0; i < MAX_LABELS; i++) spare.push(element("span", { class: "map-labels-label", dir: "auto" }));
  const context = element("canvas").getContext("2d");
  let placed: readonly PlacedLabel[] = [];
  /** The camera for which each label has its place. */
  let origin: Camera = { x: 0, y: 0, scale: 1 };

  const fullWidth = (text: string) => Math.ceil(context?.measureText(text).width ?? 8 * text.length) + 4;
  const shorten = (text: string) => {
    const characters = [...text];
    if (fullWidth(text) <= MAX_LABEL_WIDTH) return text;
    while (characters.length > 0 && fullWidth(`${characters.join("")}…`) > MAX_LABEL_WIDTH) characters.pop();
    return `${characters.join("")}…`;
  };

  function moveEach(positions: Float32Array, size: Size): void {
    placed.forEach(({ node, dx, dy }, i) => {
      const [x, y] = toScreen(origin, size, positions[2 * node], positions[2 * node + 1]);
      spare[i].style.transform = `translate(${(x + dx).toFixed(1)}px, ${(y + dy).toFixed(1)}px)`;
    });
  }

  const labels: MapLabels = {
    get placed() {
      return placed;
    },
    place(request) {
      if (context !== null) context.font = labelFont(layer, "600");
      placed = placeLabels({ ...request, measure: (text) => Math.min(MAX_LABEL_WIDTH, fullWidth(text)) });
      layer.replaceChildren(
        ...placed.map(({ text, kind }, i) => {
          spare[i].textContent = text;
          spare[i].dataset["kind"] = kind;
          return spare[i];
        }),
      );
      origin = { ...request.camera, scale: 0 };
      labels.move(request.content.positions, request.camera, request.size);
    },
    move(positions, camera, size) {
      if (placed.length === 0) return;
      const [x, y] = toScreen(camera, size, origin.x, origin.y);
      if (camera.scale !== origin.scale) {
        origin = { x: camera.x, y: camera.y, scale: camera.scale };
        layer.style.transform = "";
        moveEach(positions, size);
      } else {
        // without zoom all labels move together, which browsers do without drawing them again
        layer.style.transform = `translate(${(x - size.width / 2).toFixed(1)}px, ${(y - size.height / 2).toFixed(1)}px)`;
      }
    },
    clear() {
      placed = [];
      layer.replaceChildren();
    },
    shortened: () => placed.map((label) => ({ ...label, text: shorten(label.text) })),
    dispose() {
      layer.remove();
    },
  };
  return labels;
}

/** The font of the labels for a 2D canvas. */
export function labelFont(host: HTMLElement, weight = "400"): string {
  return `${weight} 12px ${getComputedStyle(host).fontFamily}`;
}
