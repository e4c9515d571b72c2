/** Reads a state from outside, such as a link or a file: values of the wrong kind are left out. */

import type { Camera, EdgeChoice, MapChoice, State } from "./state.js";

/** The state as a value of JSON. One colour for all nodes, and ids as labels, are null: JSON leaves out undefined values. */
export function stateValue(state: State): object {
  return { ...state, color: state.color ?? null, labels: state.labels ?? null };
}

/** The parts of the value that are parts of a state. */
export function checkState(value: unknown): Partial<State> {
  if (!isRecord(value)) return {};
  const { map, camera, relations, edges, color, labels, run, hidden, focus, selected } = value;
  return {
    ...(isMapChoice(map) ? { map } : {}),
    ...(isCamera(camera) ? { camera } : {}),
    ...(isTexts(relations) ? { relations } : {}),
    ...(isEdgeChoice(edges) ? { edges } : {}),
    ...(typeof color === "string" ? { color } : {}),
    ...(color === null ? { color: undefined } : {}),
    ...(typeof labels === "string" ? { labels } : {}),
    ...(labels === null ? { labels: undefined } : {}),
    ...(run === 0 || run === 1 ? { run } : {}),
    ...(isHidden(hidden) ? { hidden } : {}),
    ...(typeof focus === "string" ? { focus } : {}),
    ...(isTexts(selected) ? { selected } : {}),
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEdgeChoice(value: unknown): value is EdgeChoice {
  return value === "selection" || value === "inside" || value === "all" || value === "none";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isHidden(value: unknown): value is State["hidden"] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" || item === null);
}

function isCamera(value: unknown): value is Camera {
  if (!isRecord(value)) return false;
  const { x, y, scale } = value;
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(scale) && (scale as number) > 0;
}

function isMapChoice(value: unknown): value is MapChoice {
  if (!isRecord(value)) return false;
  const { name, columns } = value;
  if (typeof name === "string") return true;
  const isColumn = (column: unknown) => Number.isInteger(column) && (column as number) >= 0;
  return Array.isArray(columns) && columns.length === 2 && columns.every(isColumn);
}
