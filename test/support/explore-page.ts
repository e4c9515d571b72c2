/** Bundles a page of the explorer with vite, and serves it or writes it as one file. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { build } from "vite";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** The files of the bundle by name. */
export type Bundle = ReadonlyMap<string, string>;

/** Bundles the page whose index.html is in the folder. */
export async function bundlePage(folder: string): Promise<Bundle> {
  const options = { write: false, minify: false, chunkSizeWarningLimit: 4000 };
  const built = await build({ root: folder, configFile: false, logLevel: "warn", build: options });
  if (Array.isArray(built) || !("output" in built)) throw new Error("vite built something else than one bundle");
  return new Map(
    built.output.map((file) => [
      file.fileName,
      file.type === "chunk" ? file.code : Buffer.from(file.source).toString(),
    ]),
  );
}

/** Serves a bundle with these headers until `close`. */
export async function servePage(
  bundle: Bundle,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly address: string; close(): void }> {
  const server: Server = createServer(({ url = "" }, response) => {
    const name = url === "/" ? "index.html" : url.slice(1);
    const content = bundle.get(name);
    response.writeHead(content === undefined ? 404 : 200, { "Content-Type": TYPES[extname(name)] ?? "", ...headers });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The page as one file: script and style inside it. */
export function singleFile(bundle: Bundle): string {
  const contentOf = (path: string) => bundle.get(path.replace(/^\//, "")) ?? "";
  let script = "";
  return (bundle.get("index.html") ?? "")
    .replace(/<link rel="stylesheet"[^>]*href="([^"]*)"[^>]*>/, (_, path) => `<style>${contentOf(path)}</style>`)
    .replace(/<script[^>]*src="([^"]*)"[^>]*><\/script>/, (_, path) => {
      script = `<script type="module">${contentOf(path).replaceAll("</script", "<\\/script")}</script>`;
      return "";
    })
    .replace("</body>", () => `${script}</body>`);
}
