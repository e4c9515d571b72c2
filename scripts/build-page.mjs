/**
 * Bundles the page of the explorer into one HTML file: script and style are inside it, so that it works from a file as well as
 * from a server. A Content-Security-Policy in the page allows only this script and this style, by their hashes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { root, SetupError } from "./setup.mjs";

const APP = join(root, "src/explore/app");

/** Writes `index.html` into the folder. */
export async function buildPage(folder) {
  const { output } = await build({
    root: APP,
    configFile: false,
    base: "./",
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      // pictures and workers become part of the script
      assetsInlineLimit: () => true,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const texts = (extension) =>
    output
      .filter(({ fileName }) => fileName.endsWith(extension))
      .map((file) => (file.type === "chunk" ? file.code : String(file.source)));
  const other = output.filter(({ fileName }) => !/\.(html|js|css)$/.test(fileName));
  const scripts = texts(".js");
  if (other.length > 0 || scripts.length !== 1) {
    const names = output.map(({ fileName }) => fileName).join(", ");
    throw new SetupError(`src/explore/app: vite made ${names}; expected one script, one style and one page.`);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), pageText(scripts[0].trim(), texts(".css").join("\n").trim()));
}

/** The page of src/explore/app/index.html with its script and style inside. */
function pageText(code, style) {
  // these two begin or end a script for the HTML parser, even inside a string
  const script = code.replaceAll(/<(?=\/script|!--)/gi, "\\x3C");
  if (/<\/style/i.test(style)) throw new SetupError('src/explore: a style holds "</style"; expected none.');
  const policy = [
    "default-src 'none'",
    `script-src 'wasm-unsafe-eval' ${hashSource(script)}`,
    `style-src ${hashSource(style)}`,
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "img-src blob: data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <link rel="icon" href="data:," />`;
  return (
    readFileSync(join(APP, "index.html"), "utf8")
      .replace(/<meta charset="utf-8" \/>/, (charset) => `${charset}\n    ${head}`)
      .replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, "")
      // a function, because a text could hold $&
      .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
      .replace(/<script type="module" src="[^"]*"><\/script>/, () => `<script type="module">${script}</script>`)
  );
}

/** The hash by which a Content-Security-Policy allows a script or style. */
function hashSource(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
