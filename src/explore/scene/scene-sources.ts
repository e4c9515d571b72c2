/** The places that scenes come from: the server of `hmge explore`, elements of the page itself, or the memory of the page. */

import { InputError } from "../../index.js";
import type { SceneParts } from "./build-scene.js";
import type { PartProgress, SceneSource } from "./open-scene.js";
import type { SceneHeader } from "./scene.js";

/** Name of the element in which the server writes the number of its scenes. */
export const SCENES_META = "hmge-scenes";

/** Type of the elements that hold the parts of an embedded scene; browsers do not run it. */
export const PART_TYPE = "application/octet-stream";

/** Name of the element that holds the header of an embedded scene. */
export const HEADER_PART = "header";

/** The scenes that the page was opened with; none on the page for training. */
export function pageSources(page: Document): SceneSource[] {
  const embedded = new Set([...page.querySelectorAll(`script[data-part="${HEADER_PART}"]`)].map(sceneOf));
  if (embedded.size > 0) return [...embedded].sort((a, b) => a - b).map((scene) => embeddedSource(page, scene));
  const served = Number(page.querySelector(`meta[name="${SCENES_META}"]`)?.getAttribute("content") ?? 0);
  return Array.from({ length: served }, (_, scene) => fetchedSource(new URL(`scene/${scene}/`, page.baseURI).href));
}

function sceneOf(element: Element): number {
  return Number(element.getAttribute("data-scene"));
}

/** A scene of the server; `baseUrl` ends with a slash. */
export function fetchedSource(baseUrl: string): SceneSource {
  return {
    async header() {
      const response = await request(new URL(HEADER_PART, baseUrl));
      return parseHeader(await response.text());
    },
    async part(name, onProgress) {
      return readBody(await request(new URL(`part/${name}`, baseUrl)), onProgress);
    },
  };
}

function parseHeader(text: string): SceneHeader {
  try {
    return JSON.parse(text) as SceneHeader;
  } catch {
    throw new InputError("scene: the header is damaged: found other text; expected JSON. Make the page again.");
  }
}

async function request(url: URL): Promise<Response> {
  const response = await fetch(url).catch(() => {
    throw new InputError("scene: the server does not answer. Start hmge explore again and open the address it prints.");
  });
  if (response.ok) return response;
  const reason = (await response.text()).trim();
  throw new InputError(
    `scene: the server answered ${response.status} for ${url.pathname.split("/").at(-1)}: ${reason}`,
  );
}

/** The body of a response, with progress if its length is known. */
async function readBody(response: Response, onProgress: PartProgress | undefined): Promise<ArrayBuffer> {
  const length = Number(response.headers.get("Content-Length") ?? Number.NaN);
  if (onProgress === undefined || response.body === null || !Number.isSafeInteger(length))
    return response.arrayBuffer();
  const bytes = new Uint8Array(length);
  let done = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) break;
    if (done + value.length > length) break;
    bytes.set(value, done);
    done += value.length;
    onProgress(done, length);
  }
  if (done === length) return bytes.buffer;
  throw new InputError(`scene: the server sent ${done} of ${length} bytes. Reload the page.`);
}

/** A scene inside the page: base64 of deflated parts in elements `<script type="application/octet-stream" data-scene data-part>`. */
export function embeddedSource(page: ParentNode, scene = 0): SceneSource {
  const elements = new Map(
    [...page.querySelectorAll(`script[type="${PART_TYPE}"]`)]
      .filter((element) => sceneOf(element) === scene)
      .map((element) => [element.getAttribute("data-part"), element]),
  );
  const read = async (name: string): Promise<ArrayBuffer> => {
    const element = elements.get(name);
    if (element === undefined) throw new InputError(`scene: this page holds no part ${name}. Make the page again.`);
    try {
      return await inflate(decodeBase64(element.textContent ?? ""));
    } catch {
      throw new InputError(
        `scene: part ${name} of this page is damaged; expected compressed data. Make the page again.`,
      );
    }
  };
  return {
    async header() {
      return parseHeader(new TextDecoder().decode(await read(HEADER_PART)));
    },
    async part(name, onProgress) {
      const part = await read(name);
      onProgress?.(part.byteLength, part.byteLength);
      return part;
    },
  };
}

/** Characters that are decoded at a time, a multiple of four; whole parts would make strings of hundreds of megabytes. Not tuned. */
const BASE64_CHARACTERS = 1 << 20;

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let at = 0;
  for (let start = 0; start < text.length; start += BASE64_CHARACTERS) {
    const piece = atob(text.slice(start, start + BASE64_CHARACTERS));
    for (let i = 0; i < piece.length; i++) bytes[at++] = piece.charCodeAt(i);
  }
  return bytes;
}

function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
}

/** A scene that was just built, such as after training in the page. */
export function memorySource(parts: SceneParts): SceneSource {
  return {
    header: async () => parts.header,
    async part(name, onProgress) {
      const { buffer } = parts.part(name);
      onProgress?.(buffer.byteLength, buffer.byteLength);
      return buffer;
    },
  };
}
