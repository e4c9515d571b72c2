/** Checks the header of a scene, which may come from a file that was changed. */

import { InputError } from "../../index.js";
import type { SceneHeader } from "./scene.js";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTextOrNone: Check = (value) => value === undefined || isText(value);
const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const objectOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check(Reflect.get(value, name)));
const hasOrigin = objectOf({ doc: isTextOrNone, fromVectors: (value) => value === undefined || isFlag(value) });
const isAttribute: Check = (value) =>
  hasOrigin(value) &&
  (objectOf({ name: isText, kind: (kind) => kind === "number" })(value) ||
    objectOf({ name: isText, kind: (kind) => kind === "category", categories: listOf(isText) })(value));

const FIELDS: Readonly<Record<Exclude<keyof SceneHeader, "format">, Check>> = {
  program: isText,
  title: isText,
  numNodes: isCount,
  dim: isCount,
  model: isText,
  seed: isCount,
  facets: listOf(objectOf({ name: isText, width: isCount, doc: isTextOrNone })),
  maps: listOf(isText),
  relations: listOf(objectOf({ name: isText, numEdges: isCount, weighted: isFlag })),
  directed: isFlag,
  attributes: listOf(isAttribute),
  decoder: (value) => value === undefined || value === "dot" || value === "cosine",
  notes: listOf(isText),
};

/** Returns the value if it is a header of this format; otherwise throws and names the field at fault. */
export function checkHeader(value: unknown): SceneHeader {
  const format = Reflect.get(Object(value), "format");
  if (format !== 1) {
    throw new InputError(
      `scene: the header has format ${JSON.stringify(format) ?? "none"}; expected 1. Make the page again with this version.`,
    );
  }
  for (const [name, check] of Object.entries(FIELDS)) {
    if (check(Reflect.get(Object(value), name))) continue;
    throw new InputError(
      `scene: the header is damaged: "${name}" is missing or has another type. Make the page again.`,
    );
  }
  return value as SceneHeader;
}
