/** The page itself as a file, with a scene inside. */

import { InputError } from "../../../index.js";
import type { SceneParts } from "../../scene/build-scene.js";
import { embeddedParts, partElement, splitPage } from "../../scene/embedded-page.js";
import { PART_TYPE, SCENES_META } from "../../scene/scene-sources.js";

/** The text of the page without scenes. Call it before the page changes itself. */
export function pageTemplate(page: Document): string {
  const copy = page.documentElement.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll(`script[type="${PART_TYPE}"], meta[name="${SCENES_META}"]`)) part.remove();
  return `<!doctype html>\n${copy.outerHTML}\n`;
}

export async function savedPage(template: string, parts: SceneParts): Promise<Blob> {
  const pieces = splitPage(template);
  if (pieces === undefined)
    throw new InputError("this page: its script is not inside it; expected a page of hmge explore.");
  const texts: string[] = [pieces[0]];
  for (const [name, content] of embeddedParts(parts)) texts.push(partElement(0, name, await compressedText(content)));
  texts.push(pieces[1]);
  return new Blob(texts, { type: "text/html" });
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
