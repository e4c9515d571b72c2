/** The page with scenes inside: where their parts go, and how one is written. Data are base64 text, so nothing of them is read as HTML. */

import type { SceneParts } from "./build-scene.js";
import { HEADER_PART, PART_TYPE } from "./scene-sources.js";

const MAIN_SCRIPT = '<script type="module">';

/** The page before and after the place of the parts; undefined if it has no script. */
export function splitPage(page: string): readonly [string, string] | undefined {
  const at = page.indexOf(MAIN_SCRIPT);
  return at < 0 ? undefined : [page.slice(0, at), page.slice(at)];
}

/** The parts of a scene with its header. */
export function* embeddedParts(parts: SceneParts): Generator<readonly [name: string, Uint8Array<ArrayBuffer>]> {
  yield [HEADER_PART, new TextEncoder().encode(JSON.stringify(parts.header))];
  for (const name of parts.names) yield [name, parts.part(name)];
}

/** One part; `base64` is the base64 text of its deflated bytes. */
export function partElement(scene: number, name: string, base64: string): string {
  return `<script type="${PART_TYPE}" data-scene="${scene}" data-part="${name}">${base64}</script>\n    `;
}
