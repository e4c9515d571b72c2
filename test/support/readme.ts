/** What the README promises, for the tests that keep it. */

import { readText } from "./repository.js";

/** The library example: the only TypeScript block. */
export function libraryExample(): string {
  const blocks = [...readText("README.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  if (blocks.length !== 1) throw new Error(`README.md: ${blocks.length} TypeScript blocks; expected one`);
  return blocks[0];
}

/** A small multiplex with the names of the README. */
export function smallEdgeFile(): string {
  const names = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hal", "Ivo", "Joy", "Kim", "Leo"];
  const lines = names.flatMap((name, i) => [
    `works with,${name},${names[(i + 1) % names.length]}`,
    `neighbour of,${name},${names[(i + 5) % names.length]}`,
  ]);
  return `relation,source,target\n${lines.join("\n")}\n`;
}
