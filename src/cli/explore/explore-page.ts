/** The page of the explorer, as the build made it, and as one file with its scenes inside. */

import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { InputError, InternalError } from "../../core/errors.js";
import type { SceneParts } from "../../explore/scene/build-scene.js";
import { embeddedParts, partElement, splitPage } from "../../explore/scene/embedded-page.js";
import { SCENES_META } from "../../explore/scene/scene-sources.js";
import { formatBytes } from "../../report/format.js";

/** Places of the page: in the built program, and, for tests that run the sources, in the last build. */
const PAGES = ["../../explore-page/index.html", "../../../dist/explore-page/index.html"];

/** Maximum bytes of all decoder vectors in one file, before compression: a file of more is slow to open. Not tuned. */
const MAX_DECODER_BYTES = 64 * 2 ** 20;
/** Maximum bytes of a compressed part: its base64 text is one string, and a string of V8 has at most 2²⁹ characters. */
const MAX_PART_BYTES = 384 * 2 ** 20;

const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/;
const CHARSET = '<meta charset="utf-8" />';

/** The page without scenes. */
export async function readExplorePage(): Promise<string> {
  for (const path of PAGES) {
    const page = await readFile(new URL(path, import.meta.url), "utf8").catch(() => undefined);
    if (page !== undefined) return page;
  }
  throw new InternalError("the explorer's page is missing; expected dist/explore-page/index.html of the build");
}

/** The Content-Security-Policy that the page contains. */
export function policyOf(page: string): string {
  const [, policy] = POLICY.exec(page) ?? [];
  if (policy === undefined) throw new InternalError("the explorer's page has no Content-Security-Policy");
  return policy;
}

/** The page that fetches this number of scenes from its server. */
export function servedPage(page: string, numScenes: number): string {
  return page.replace(CHARSET, `${CHARSET}\n    <meta name="${SCENES_META}" content="${numScenes}" />`);
}

/** The pieces of the page with its scenes inside. */
export function* embeddedPage(page: string, scenes: readonly SceneParts[]): Generator<string> {
  const pieces = splitPage(page);
  if (pieces === undefined) throw new InternalError("the explorer's page has no script");
  yield pieces[0];
  for (const [scene, parts] of scenes.entries()) {
    for (const [name, content] of embeddedParts(parts)) yield partElement(scene, name, compressedText(name, content));
  }
  yield pieces[1];
}

function compressedText(name: string, content: Uint8Array): string {
  const compressed = deflateRawSync(content);
  if (compressed.length > MAX_PART_BYTES) {
    throw new InputError(
      `--out: part ${name} has ${formatBytes(compressed.length)}; expected at most ${formatBytes(MAX_PART_BYTES)} for one file. Leave out --out to open the page from a server.`,
    );
  }
  return compressed.toString("base64");
}

/** The scene as it is written into one file: without a decoder if its vectors are too large, and with a note about that. */
export function sceneForFile(scene: SceneParts, maxDecoderBytes = MAX_DECODER_BYTES): SceneParts {
  const isDecoder = (name: string) => name.startsWith("decoder.");
  let bytes = 0;
  for (const name of scene.names) {
    if (isDecoder(name) && bytes <= maxDecoderBytes) bytes += scene.part(name).length;
  }
  if (bytes <= maxDecoderBytes) return scene;
  const { decoder: _, ...header } = scene.header;
  const note = `There are no link predictions in this file: the decoder's vectors need more than ${formatBytes(maxDecoderBytes)}. hmge explore DIR without --out has them.`;
  return {
    ...scene,
    header: { ...header, notes: [...header.notes, note] },
    names: scene.names.filter((name) => !isDecoder(name)),
  };
}
