/** Turns pointer, wheel and keyboard events on the canvas into actions on the map. Pixels are relative to the canvas. */

import type { Component } from "../dom.js";

export type Tool = "pan" | "box" | "lasso";

export interface MapActions {
  tool(): Tool;
  panBy(right: number, down: number): void;
  zoomAt(x: number, y: number, factor: number): void;
  zoomAtCenter(factor: number): void;
  fit(): void;
  /** `radius`: how far from a point a pointer may be to mean it. */
  hover(x: number, y: number, radius: number): void;
  leave(): void;
  click(x: number, y: number, radius: number, additive: boolean): void;
  /** The outline that is being drawn (x and y of each corner in turn); undefined: none. */
  showOutline(corners: readonly number[] | undefined): void;
  selectInside(corners: readonly number[], additive: boolean): void;
  clearSelection(): void;
}

/** Pixels that a pointer may move during a click. */
const CLICK_SLOP = 4;
/** Pixels from the centre of a point within which a mouse or a finger means it. */
const MOUSE_RADIUS = 7;
const TOUCH_RADIUS = 18;
/** Pixels that an arrow key pans, and the factor of + and −; not tuned. */
const KEY_PAN = 60;
const KEY_ZOOM = 1.4;
/** Zoom per pixel of the wheel, as an exponent; a pinch on a touchpad arrives as small wheel steps with Ctrl. */
const WHEEL_ZOOM = 0.0016;
const PINCH_ZOOM = 0.01;
/** Pixels of a wheel step that is counted in lines or pages. */
const WHEEL_UNITS = [1, 16, 400];

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Drag {
  readonly kind: "pan" | "box" | "lasso";
  readonly additive: boolean;
  readonly startX: number;
  readonly startY: number;
  moved: boolean;
  corners: number[];
}

export function createMapInput(canvas: HTMLCanvasElement, actions: MapActions): Component {
  /** Last place of each pointer that is down. */
  const pointers = new Map<number, Place>();
  let drag: Drag | undefined;
  const ended = new AbortController();

  const placeOf = (event: MouseEvent) => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const radiusOf = (event: PointerEvent) => (event.pointerType === "touch" ? TOUCH_RADIUS : MOUSE_RADIUS);

  function press(event: PointerEvent): void {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    canvas.focus({ preventScroll: true });
    const place = placeOf(event);
    pointers.set(event.pointerId, place);
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size > 1) {
      cancelDrag();
      return;
    }
    const tool = actions.tool();
    const kind = tool === "pan" && event.shiftKey ? "box" : tool;
    // with the tool "pan", Shift only starts the box
    const additive = event.ctrlKey || event.metaKey || (tool !== "pan" && event.shiftKey);
    drag = { kind, additive, startX: place.x, startY: place.y, moved: false, corners: [place.x, place.y] };
    actions.leave();
  }

  function move(event: PointerEvent): void {
    const place = placeOf(event);
    const last = pointers.get(event.pointerId);
    if (last === undefined) {
      if (pointers.size === 0) actions.hover(place.x, place.y, radiusOf(event));
      return;
    }
    pointers.set(event.pointerId, place);
    if (pointers.size > 1) pinch(event.pointerId, last, place);
    else if (drag !== undefined) continueDrag(drag, last, place);
  }

  function continueDrag(drag: Drag, last: Place, place: Place): void {
    const { kind, startX, startY } = drag;
    const isFirst = !drag.moved;
    if (isFirst && Math.hypot(place.x - startX, place.y - startY) < CLICK_SLOP) return;
    drag.moved = true;
    if (kind === "pan") {
      canvas.toggleAttribute("data-dragging", true);
      // the first step includes the way that a click would have allowed
      const from = isFirst ? { x: startX, y: startY } : last;
      actions.panBy(place.x - from.x, place.y - from.y);
      return;
    }
    if (kind === "lasso") drag.corners.push(place.x, place.y);
    else drag.corners = [startX, startY, place.x, startY, place.x, place.y, startX, place.y];
    actions.showOutline(drag.corners);
  }

  /** Two fingers: what is between them stays there. */
  function pinch(id: number, last: Place, place: Place): void {
    const other = [...pointers].find(([key]) => key !== id)?.[1];
    if (other === undefined) return;
    const before = Math.hypot(last.x - other.x, last.y - other.y);
    const after = Math.hypot(place.x - other.x, place.y - other.y);
    actions.panBy((place.x - last.x) / 2, (place.y - last.y) / 2);
    if (before > 0 && after > 0) actions.zoomAt((place.x + other.x) / 2, (place.y + other.y) / 2, after / before);
  }

  function release(event: PointerEvent): void {
    if (!pointers.delete(event.pointerId) || drag === undefined) return;
    const { kind, moved, corners, additive, startX, startY } = drag;
    cancelDrag();
    if (!moved) actions.click(startX, startY, radiusOf(event), additive || event.shiftKey);
    else if (kind !== "pan") actions.selectInside(corners, additive);
  }

  function cancelDrag(): void {
    drag = undefined;
    canvas.removeAttribute("data-dragging");
    actions.showOutline(undefined);
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    if (drag !== undefined && drag.kind !== "pan") return;
    const { x, y } = placeOf(event);
    const pixels = event.deltaY * WHEEL_UNITS[event.deltaMode];
    actions.zoomAt(x, y, Math.exp(-pixels * (event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM)));
  }

  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => actions.panBy(KEY_PAN, 0),
    ArrowRight: () => actions.panBy(-KEY_PAN, 0),
    ArrowUp: () => actions.panBy(0, KEY_PAN),
    ArrowDown: () => actions.panBy(0, -KEY_PAN),
    "+": () => actions.zoomAtCenter(KEY_ZOOM),
    // the key of + without Shift on many keyboards
    "=": () => actions.zoomAtCenter(KEY_ZOOM),
    "-": () => actions.zoomAtCenter(1 / KEY_ZOOM),
    "0": () => actions.fit(),
    Escape: () => (drag === undefined ? actions.clearSelection() : cancelDrag()),
  };

  function pressKey(event: KeyboardEvent): void {
    // Ctrl and + belong to the browser
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  const options = { signal: ended.signal };
  canvas.addEventListener("pointerdown", press, options);
  canvas.addEventListener("pointermove", move, options);
  canvas.addEventListener("pointerup", release, options);
  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId) && cancelDrag(), options);
  canvas.addEventListener("pointerleave", () => actions.leave(), options);
  canvas.addEventListener("wheel", wheel, { ...options, passive: false });
  canvas.addEventListener("keydown", pressKey, options);
  return {
    dispose() {
      cancelDrag();
      ended.abort();
    },
  };
}
