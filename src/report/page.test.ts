import { describe, expect, it } from "vitest";
import { lossChart } from "./charts/index.js";
import { escapeText } from "./escape.js";
import { type Block, htmlPage } from "./page.js";

const NASTY = `<script>alert("1")</script> & 'x' \u0000`;
const ESCAPED = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; \ufffd";

async function nastyPage(): Promise<string> {
  const svg = await lossChart([3, 2, 1], 3, { title: NASTY, description: NASTY, xLabel: NASTY });
  const blocks: Block[] = [
    NASTY,
    { svg, caption: NASTY },
    { table: { header: [NASTY], rows: [[NASTY]] }, caption: NASTY },
    { list: [NASTY] },
    { code: NASTY },
    { warning: NASTY },
    { numbers: [{ value: NASTY, name: NASTY }] },
    { columns: [NASTY] },
    { summary: NASTY, blocks: [NASTY, { svg }] },
  ];
  const section = { heading: NASTY, blocks };
  return htmlPage({ title: NASTY, subtitle: NASTY, sections: Array(6).fill(section), footer: NASTY });
}

describe("escapeText", () => {
  it("escapes markup and characters that XML forbids", () => {
    expect(escapeText(NASTY)).toBe(ESCAPED);
    expect(escapeText("日本 \ud83d\ude00 \ud83d")).toBe("日本 \u{1f600} \ufffd");
  });
});

describe("htmlPage", () => {
  it("escapes every text", async () => {
    const page = await nastyPage();
    expect(page.includes("<script")).toBe(false);
    expect(page.includes("\u0000")).toBe(false);
    // title, heading 1, subtitle, footer; and six times: link, heading, 12 in blocks, 6 in the two charts
    expect(page.split("&lt;script&gt;").length - 1).toBeGreaterThanOrEqual(4 + 6 * 18);
  });

  it("loads nothing from the network and forbids it", async () => {
    const page = await nastyPage();
    expect(page.match(/\b(https?:)?\/\/\w|@import|url\(|<(script|iframe|img|object|embed|base)\b/i)).toBeNull();
    expect([...page.matchAll(/<link [^>]*>/g)].map(([link]) => link)).toEqual(['<link rel="icon" href="data:,">']);
    expect(page).toContain("default-src 'none'");
  });

  it("has unique ids, and links to existing ids", async () => {
    const page = await nastyPage();
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  it("closes every tag that it opens", async () => {
    const page = (await nastyPage()).replace(/<style>[\s\S]*?<\/style>/g, "");
    const open: string[] = [];
    for (const [, slash, name, rest] of page.matchAll(/<(\/?)([a-z][\w-]*)([^<>]*)>/gi)) {
      if (/^(meta|link|br)$/.test(name) || rest.endsWith("/")) continue;
      if (slash === "") open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});
