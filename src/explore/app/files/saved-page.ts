/** The page itself as a file, with a scene inside. */

import { InputError } from "../../../index.js";
import type { SceneParts } from "../../scene/build-scene.js";
import { embeddedParts, partElement, splitPage } from "../../scene/embedded-page.js";
import type { Attribute } from "../../scene/scene.js";
import { encodeAttribute } from "../../scene/scene-parts.js";
import { PART_TYPE, SCENES_META } from "../../scene/scene-sources.js";
import type { State } from "../state/state.js";
import { readStateLink } from "../state/state-link.js";

/** Name of the element that holds the state with which a saved page opens, as in a link. */
const STATE_META = "hmge-state";

/** What a saved page has and the page for training has not. */
const ADDED = `script[type="${PART_TYPE}"], meta[name="${SCENES_META}"], meta[name="${STATE_META}"]`;

/** The text of the page without scenes. Call it before the page changes itself. */
export function pageTemplate(page: Document): string {
  const copy = page.documentElement.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll(ADDED)) part.remove();
  return `<!doctype html>\n${copy.outerHTML}\n`;
}

/** What the visitor did with a scene: attributes of dropped tables, and the state as the text of a link. */
export interface Visit {
  readonly added: readonly Attribute[];
  readonly link: string;
}

export async function savedPage(template: string, parts: SceneParts, visit: Visit): Promise<Blob> {
  const pieces = splitPage(template);
  if (pieces === undefined)
    throw new InputError("this page: its script is not inside it; expected a page of hmge explore.");
  // a link has none of the characters that end an attribute of HTML
  const texts: string[] = [pieces[0], `<meta name="${STATE_META}" content="${visit.link}" />\n    `];
  for (const [name, content] of embeddedParts(withAttributes(parts, visit.added)))
    texts.push(partElement(0, name, await compressedText(content)));
  texts.push(pieces[1]);
  return new Blob(texts, { type: "text/html" });
}

/** The state that the page was saved with; empty if it has none. */
export function savedState(page: Document): Partial<State> {
  return readStateLink(page.querySelector(`meta[name="${STATE_META}"]`)?.getAttribute("content") ?? "");
}

/** The scene with further attributes. */
export function withAttributes(parts: SceneParts, added: readonly Attribute[]): SceneParts {
  const { header, names } = parts;
  const places = new Map(added.map((attribute, k) => [`attribute.${header.attributes.length + k}`, attribute]));
  const facts = added.map((attribute) =>
    attribute.kind === "category"
      ? { name: attribute.name, kind: attribute.kind, categories: attribute.categories }
      : { name: attribute.name, kind: attribute.kind },
  );
  return {
    header: { ...header, attributes: [...header.attributes, ...facts] },
    names: [...names, ...places.keys()],
    part(name) {
      const attribute = places.get(name);
      return attribute === undefined ? parts.part(name) : encodeAttribute(attribute, name);
    },
  };
}

/** Base64 text of the deflated bytes. */
async function compressedText(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const compressed = await new Response(stream).blob();
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(compressed);
  });
  const url = String(reader.result); // data:…;base64,TEXT
  return url.slice(url.indexOf(",") + 1);
}
