/** Reads the scenes inside a page that `hmge explore --out` wrote, without a browser. */

import { inflateRawSync } from "node:zlib";
import { openScene } from "../../src/explore/scene/open-scene.js";
import type { Scene } from "../../src/explore/scene/scene.js";

export function embeddedScene(html: string, scene = 0): Promise<Scene> {
  const pattern =
    /<script type="application\/octet-stream" data-scene="(\d+)" data-part="([\w.]+)">([\w+/=]*)<\/script>/g;
  const found = [...html.matchAll(pattern)].filter(([, number]) => Number(number) === scene);
  const parts = new Map(found.map(([, , name, text]) => [name, inflateRawSync(Buffer.from(text, "base64"))]));
  return openScene({
    header: async () => JSON.parse(String(parts.get("header"))),
    part: async (name) => Uint8Array.from(parts.get(name) ?? []).buffer,
  });
}
