/**
 * One self-contained page: no network, no scripts, no external fonts. Readable on a phone, in light and dark mode, and on
 * paper. All text is escaped; only charts are inserted as markup.
 */

import { chartStyle } from "./charts/palette.js";
import { escapeText } from "./escape.js";
import { pageStyle } from "./page-style.js";
import { htmlTable, type Table } from "./table.js";

/** A piece of a section; a string is a paragraph. */
export type Block =
  | string
  | { readonly svg: string; readonly caption?: string }
  | { readonly table: Table; readonly caption?: string }
  | { readonly list: readonly string[] }
  /** Shown unchanged, in a fixed-width font. */
  | { readonly code: string }
  /** A highlighted remark. */
  | { readonly warning: string }
  /** Large numbers, each with its name. */
  | { readonly numbers: readonly { readonly value: string; readonly name: string }[] }
  /** Side by side if the page is wide enough. */
  | { readonly columns: readonly Block[] }
  /** Folded until the reader opens it. */
  | { readonly summary: string; readonly blocks: readonly Block[] };

export interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

export interface Page {
  readonly title: string;
  readonly subtitle?: string;
  readonly sections: readonly Section[];
  /** Last line, such as version and date. */
  readonly footer?: string;
}

/** Pages with more sections than this begin with links to them. Not tuned. */
const MAX_WITHOUT_LINKS = 4;

/** The page as the text of an HTML file. */
export function htmlPage({ title, subtitle, sections, footer }: Page): string {
  const links = sections.map(({ heading }, i) => `<li><a href="#section-${i + 1}">${escapeText(heading)}</a></li>`);
  const parts = sections.map(({ heading, blocks }, i) => {
    return `<section id="section-${i + 1}">\n<h2>${escapeText(heading)}</h2>\n${blocks.map(htmlBlock).join("\n")}\n</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
<style>
${pageStyle()}
${chartStyle()}
</style>
</head>
<body>
<header>
<h1>${escapeText(title)}</h1>
${subtitle === undefined ? "" : `<p class="subtitle">${escapeText(subtitle)}</p>\n`}</header>
${sections.length > MAX_WITHOUT_LINKS ? `<nav aria-label="Sections"><ul>${links.join("")}</ul></nav>\n` : ""}<main>
${parts.join("\n")}
</main>
${footer === undefined ? "" : `<footer>${escapeText(footer)}</footer>\n`}</body>
</html>
`;
}

function htmlBlock(block: Block): string {
  if (typeof block === "string") return `<p>${escapeText(block)}</p>`;
  if ("svg" in block) {
    const caption = block.caption === undefined ? "" : `<figcaption>${escapeText(block.caption)}</figcaption>`;
    return `<figure>${inline(block.svg)}${caption}</figure>`;
  }
  if ("table" in block) return htmlTable(block.table, block.caption);
  if ("list" in block) return `<ul>${block.list.map((text) => `<li>${escapeText(text)}</li>`).join("")}</ul>`;
  if ("code" in block) return `<pre tabindex="0"><code>${escapeText(block.code)}</code></pre>`;
  if ("warning" in block) return `<p class="warning" role="note">${escapeText(block.warning)}</p>`;
  if ("numbers" in block) {
    const items = block.numbers.map(({ value, name }) => {
      return `<div><dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd></div>`;
    });
    return `<dl class="numbers">${items.join("")}</dl>`;
  }
  if ("columns" in block) return `<div class="columns">${block.columns.map(htmlBlock).join("\n")}</div>`;
  return `<details><summary>${escapeText(block.summary)}</summary>\n${block.blocks.map(htmlBlock).join("\n")}\n</details>`;
}

/** A chart inside a page, without its own style sheet: the page has the same one. */
function inline(svg: string): string {
  return svg.replace(' xmlns="http://www.w3.org/2000/svg"', "").replace(/<style>[^<]*<\/style>/, "");
}
