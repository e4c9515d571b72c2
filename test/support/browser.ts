/** Pages in a browser. */

import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll } from "vitest";

const BROWSERS = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export const browserPath = BROWSERS.find((path) => path !== "" && existsSync(path));

/** WebGL in software, so that every machine draws the same. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--enable-unsafe-swiftshader",
  "--use-gl=angle",
  "--use-angle=swiftshader",
];

/** WebGPU without a GPU, on SwiftShader. */
export const WEBGPU_ARGUMENTS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
];

export interface ShownPage {
  readonly headings: readonly string[];
  readonly figures: readonly { readonly title: string | undefined; readonly shown: boolean }[];
  /** Messages of the console, errors, and requests to other addresses. */
  readonly complaints: readonly string[];
  /** Pixels by which the page is wider than its window. */
  readonly overflow: number;
}

/** A browser for the tests of one file: started when first asked for, closed after them. */
export function fileBrowser(args: readonly string[] = ["--no-sandbox"]): () => Promise<Browser> {
  let browser: Promise<Browser> | undefined;
  afterAll(async () => (await browser)?.close());
  return () => {
    browser ??= chromium.launch({ executablePath: browserPath, args: [...args] });
    return browser;
  };
}

export async function showPage(
  browser: Browser,
  path: string,
  { width, colorScheme }: { width: number; colorScheme: "light" | "dark" },
): Promise<ShownPage> {
  const tab = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const complaints: string[] = [];
  tab.on("console", (message) => complaints.push(message.text()));
  tab.on("pageerror", (error) => complaints.push(error.message));
  tab.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
  });
  await tab.goto(pathToFileURL(path).href);
  const figures = await tab.locator("figure svg").evaluateAll((charts) =>
    charts.map((chart) => {
      const { width: across, height } = chart.getBoundingClientRect();
      const marks = chart.querySelectorAll("circle, rect, path").length;
      const title = chart.querySelector("title")?.textContent ?? undefined;
      return { title, shown: across > 200 && height > 80 && marks > 1 };
    }),
  );
  const headings = await tab.locator("h2").allTextContents();
  const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await tab.close();
  return { headings, figures, complaints, overflow };
}
