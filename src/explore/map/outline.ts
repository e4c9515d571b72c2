/** The outline of a box or lasso while it is drawn. */

const SVG = "http://www.w3.org/2000/svg";

export interface Outline {
  /** x and y of each corner in pixels, in turn; undefined hides the outline. */
  show(corners: readonly number[] | undefined): void;
}

export function createOutline(host: HTMLElement): Outline {
  const layer = document.createElementNS(SVG, "svg");
  layer.setAttribute("class", "map-view-outline");
  layer.setAttribute("aria-hidden", "true");
  const polygon = document.createElementNS(SVG, "polygon");
  host.append(layer);
  return {
    show(corners) {
      polygon.setAttribute("points", corners?.join(" ") ?? "");
      if (corners === undefined) polygon.remove();
      else layer.append(polygon);
    },
  };
}
