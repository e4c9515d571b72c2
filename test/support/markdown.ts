/** Links, anchors and commands of the documentation. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readText, root } from "./repository.js";

/** README, CONTRIBUTING and every page below docs/, as paths from the root. */
export function markdownFiles(): string[] {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const docs = pages.filter((name) => name.endsWith(".md")).map((name) => `docs/${name.replaceAll("\\", "/")}`);
  return ["README.md", "CONTRIBUTING.md", ...docs.sort()];
}

/** The only TypeScript block of the README. */
export function libraryExample(): string {
  const blocks = [...readText("README.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  if (blocks.length !== 1) throw new Error(`README.md: ${blocks.length} TypeScript blocks; expected one`);
  return blocks[0];
}

/** An edge file with two relations, as the library example reads it. */
export function smallEdgeFile(): string {
  const names = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hal", "Ivo", "Joy", "Kim", "Leo"];
  const lines = names.flatMap((name, i) => [
    `works with,${name},${names[(i + 1) % names.length]}`,
    `neighbour of,${name},${names[(i + 5) % names.length]}`,
  ]);
  return `relation,source,target\n${lines.join("\n")}\n`;
}

/** Targets of links and images that are not on the web, such as `docs/models.md#hmge`. */
export function localLinks(markdown: string): string[] {
  const links = withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g);
  return [...links].map(([, link, attribute]) => link ?? attribute).filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?)\s*$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let anchor = slug;
    for (let k = 1; anchors.has(anchor); k++) anchor = `${slug}-${k}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The words after `hmge`, `npx hmge` or `npm start --` of every command line in code. */
export function commandLines(markdown: string): string[][] {
  const fenced = [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, code]) => code.split("\n"));
  const inline = [...withoutFences(markdown).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
  return [...fenced, ...inline].flatMap((line) => {
    const [, words] = /(?:^\s*(?:\$ )?|[|;&] )(?:npx hmge|npm start --|hmge) ([a-z].*)$/.exec(line) ?? [];
    const command = words?.replace(/ +#.*$/, "").split(/ [|>&] /)[0];
    return command === undefined ? [] : [command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []];
  });
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, "");
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replace(/`[^`\n]*`/g, "`code`");
}
