/** A small graph whose ids, labels and relations would do harm if a page read them as HTML or script. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const HOSTILE_IDS = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(2)</script>",
  `quotes "'\` & <b>bold</b>`,
  "🦊 fox",
  "\u202eright to left",
  `long ${"x".repeat(3000)}`,
  "javascript:alert(10)",
  "https://evil.example/?secret",
  "&lt;img src=x onerror=alert(11)&gt;",
  "\u2067\u2066isolated\u2069",
  "__proto__",
  "constructor",
  "=HYPERLINK(1)",
  "{{7*7}} #{alert(12)} %00",
] as const;
const NUM_NODES = 40;

/** Edges as CSV: two rings in two relations. */
export function hostileEdges(): string {
  const ids = hostileNodes();
  const rows = ids.flatMap((id, i) => [
    [id, ids[(i + 1) % NUM_NODES], "<script>alert(3)</script>"],
    [id, ids[(i + 7) % NUM_NODES], "plain"],
  ]);
  return csv([["source", "target", "relation"], ...rows]);
}

/** Writes the edges and a table of labels into the folder. */
export function writeHostileGraph(folder: string): { readonly edges: string; readonly labels: string } {
  const [edges, labels] = ["edges.csv", "labels.csv"].map((name) => join(folder, name));
  writeFileSync(edges, hostileEdges());
  const rows = hostileNodes().map((id, i) => [id, i % 2 === 0 ? "<svg onload=alert(4)>" : `"'>`]);
  writeFileSync(labels, csv([["node", "label"], ...rows]));
  return { edges, labels };
}

function hostileNodes(): string[] {
  return Array.from({ length: NUM_NODES }, (_, i) => HOSTILE_IDS[i] ?? `n${i}`);
}

function csv(rows: readonly (readonly string[])[]): string {
  const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","));
  return `${quoted.join("\n")}\n`;
}
