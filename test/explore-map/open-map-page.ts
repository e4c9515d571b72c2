/** Builds the page of the map and opens it in Chromium. */

import { extname, join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { build } from "vite";
import { root } from "../support/repository.js";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Files of the page by name. */
export async function buildMapPage(): Promise<ReadonlyMap<string, string>> {
  const page = join(root, "test/explore-map");
  const built = await build({
    root: page,
    configFile: false,
    build: { write: false, minify: false },
    logLevel: "error",
  });
  if (Array.isArray(built) || !("output" in built)) throw new Error("vite built something else than one bundle");
  return new Map(
    built.output.map((file) => [
      file.fileName,
      file.type === "chunk" ? file.code : Buffer.from(file.source).toString(),
    ]),
  );
}

export interface OpenOptions extends BrowserContextOptions {
  /** Refuses WebGL2, as some browsers do. */
  readonly withoutWebgl?: boolean;
}

/** Opens the page; complaints of the page are thrown by `close`. */
export async function openMapPage(
  browser: Browser,
  files: ReadonlyMap<string, string>,
  { withoutWebgl = false, ...options }: OpenOptions = {},
): Promise<Page> {
  const tab = await browser.newPage({ viewport: { width: 800, height: 600 }, reducedMotion: "reduce", ...options });
  await tab.route("**/*", (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
    const body = files.get(name);
    const contentType = TYPES[extname(name)] ?? "text/plain";
    return route.fulfill(body === undefined ? { status: 404 } : { status: 200, contentType, body });
  });
  if (withoutWebgl) {
    await tab.addInitScript(() => {
      const getContext = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind.startsWith("webgl") ? null : Reflect.apply(getContext, this, [kind, ...rest]);
      } as typeof getContext;
    });
  }
  await tab.goto("http://map.test/");
  return tab;
}
