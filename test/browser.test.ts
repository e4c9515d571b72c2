/** The library on a web page, bundled by vite: it trains there and gives the same bits as in Node. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { build, createLogger } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWasmEngine } from "../dist/engine/wasm/wasm-engine.js";
import { type Trained, trainSmall, trainWith } from "./browser/training.js";
import { browserPath, WEBGPU_ARGUMENTS } from "./support/browser.js";
import { root } from "./support/repository.js";

const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** Files of the bundle by name. */
const bundle = new Map<string, string>();
const warnings: string[] = [];

beforeAll(async () => {
  const logger = createLogger("silent");
  logger.warn = logger.warnOnce = (message) => void warnings.push(message);
  const page = join(root, "test/browser");
  const quietly = { customLogger: logger, logLevel: "warn" } as const;
  const built = await build({ root: page, configFile: false, build: { write: false }, ...quietly });
  if (Array.isArray(built) || !("output" in built)) throw new Error("vite built something else than one bundle");
  for (const file of built.output) {
    bundle.set(file.fileName, file.type === "chunk" ? file.code : Buffer.from(file.source).toString());
  }
});

test("the bundle imports no module of Node", () => {
  const code = [...bundle.values()].join("\n");
  const found = (pattern: RegExp) => [...new Set(code.match(pattern))];
  expect(found(/UnsupportedError/g)).toHaveLength(1);
  expect(found(/\b(from|import|require)\s*\(?\s*["'`]node:[\w/]+/g)).toEqual([]);
  // vite replaces a module of Node by one that throws, and warns
  expect(found(/"node:\w+" has been externalized/g)).toEqual([]);
  expect(warnings).toEqual([]);
});

describe("on a page", () => {
  let browser: Browser | undefined;
  const inNode = new Map<string, Promise<Trained>>();

  beforeAll(async () => {
    if (browserPath !== undefined) {
      browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
    }
  });
  afterAll(() => browser?.close());

  /** The result in Node with the same kernels as the browser. */
  const expected = ({ kernels }: Trained): Promise<Trained> => {
    const relaxed = kernels === "wasm relaxed SIMD";
    const known =
      inNode.get(kernels) ?? createWasmEngine({ threads: 1, relaxed }).then((engine) => trainSmall({ engine }));
    inNode.set(kernels, known);
    return known;
  };

  type Place = "trainHere" | "trainInWorker";

  /** Serves the page with these headers and trains on it: each training names its place and number of threads. */
  async function visit(
    headers: Readonly<Record<string, string>>,
    trainings: readonly (readonly [place: Place, threads?: number])[],
  ): Promise<(Trained | string)[]> {
    return onPage(browser!, headers, async (tab) => {
      const answers: (Trained | string)[] = [];
      for (const [place, threads] of trainings) {
        answers.push(await tab.evaluate(({ place, threads }) => window[place](threads), { place, threads }));
      }
      return answers;
    });
  }

  async function onPage<T>(
    opened: Browser,
    headers: Readonly<Record<string, string>>,
    work: (tab: Page) => Promise<T>,
  ): Promise<T> {
    const server = createServer(({ url = "" }, response) => {
      const name = url === "/" ? "index.html" : url.slice(1);
      const content = bundle.get(name);
      const type = TYPES[extname(name)] ?? "text/plain";
      response.writeHead(content === undefined ? 404 : 200, { "Content-Type": type, ...headers });
      response.end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const tab = await opened.newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const result = await work(tab);
      await tab.close();
      return result;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  async function expectAsInNode(answer: Trained | string, workers: unknown): Promise<void> {
    if (typeof answer === "string") throw new Error(answer);
    expect(answer).toEqual({ ...(await expected(answer)), workers });
  }

  test("without cross-origin isolation it uses one thread, and explains why two are refused", async (context) => {
    if (browser === undefined) return context.skip("no Chromium on this machine");
    const [here, inWorker, two] = await visit({}, [["trainHere"], ["trainInWorker"], ["trainInWorker", 2]]);
    await expectAsInNode(here, 0);
    await expectAsInNode(inWorker, 0);
    expect(two).toMatch(/^UnsupportedError: threads: 2 were requested, but memory cannot be shared here; use 1, or /);
  });

  test("with cross-origin isolation it uses one thread on the page and several in a worker", async (context) => {
    if (browser === undefined) return context.skip("no Chromium on this machine");
    const [here, two, inWorker] = await visit(ISOLATED, [["trainHere"], ["trainHere", 2], ["trainInWorker", 2]]);
    await expectAsInNode(here, 0);
    expect(two).toMatch(
      /^UnsupportedError: threads: 2 were requested, but a page's own thread may not wait .* use 1, or /,
    );
    await expectAsInNode(
      inWorker,
      expect.toSatisfy((count: number) => count > 1, "more than the one that tries"),
    );
  });

  test("if a policy forbids workers of blobs it uses one thread, and explains why two are refused", async (context) => {
    if (browser === undefined) return context.skip("no Chromium on this machine");
    const policy = { ...ISOLATED, "Content-Security-Policy": "worker-src 'self'" };
    const [inWorker, two] = await visit(policy, [["trainInWorker"], ["trainInWorker", 2]]);
    await expectAsInNode(
      inWorker,
      expect.toSatisfy((count: number) => count <= 1, "the one that tries"),
    );
    expect(two).toMatch(
      /^UnsupportedError: threads: 2 were requested, but no worker could be started: .* worker-src blob:/,
    );
  });

  describe("with WebGPU", () => {
    let withGpu: Browser | undefined;
    beforeAll(async () => {
      if (browserPath !== undefined) {
        withGpu = await chromium.launch({ executablePath: browserPath, args: WEBGPU_ARGUMENTS });
      }
    });
    afterAll(() => withGpu?.close());

    test("it trains on a device of the page, with the same bits each time, and says so", async (context) => {
      if (withGpu === undefined) return context.skip("no Chromium on this machine");
      const { trained, again, onAdapter } = await onPage(withGpu, {}, (tab) => {
        return tab.evaluate(() => window.trainOnDevice());
      });
      expect(trained.engine).toMatch(/^webgpu \(.*swiftshader.*\)$/i);
      expect(onAdapter).toBe(trained.engine);
      expect(again).toEqual(trained);
      const { losses } = await trainWith(await createWasmEngine({ threads: 1 }));
      expect(losses[0] - losses[2]).toBeGreaterThan(5e-3);
      // the two engines add float32 numbers in another order
      expect(trained.losses).toEqual(losses.map((loss) => expect.closeTo(loss, 4)));
    }, 300_000);

    test("auto uses wasm, with a reason, if the only adapter computes on the CPU or there is none", async (context) => {
      if (withGpu === undefined || browser === undefined) return context.skip("no Chromium on this machine");
      const trainIn = (opened: Browser) => onPage(opened, {}, (tab) => tab.evaluate(() => window.trainOnAuto()));
      const [software, none] = [await trainIn(withGpu), await trainIn(browser)];
      expect(software.engine).toMatch(/^wasm/);
      expect(software.choice).toMatch(
        /^wasm, because webgpu cannot be used: the only WebGPU adapter is .*swiftshader/i,
      );
      expect(none.choice).toMatch(
        /^wasm, because webgpu cannot be used: (webgpu finds no GPU here|this browser has no)/,
      );
      expect(none.vectors).toBe(software.vectors);
    });
  });

  test("if a policy forbids WebAssembly it explains why it cannot start", async (context) => {
    if (browser === undefined) return context.skip("no Chromium on this machine");
    const [answer] = await visit({ "Content-Security-Policy": "script-src 'self'" }, [["trainHere"]]);
    expect(answer).toMatch(
      /^UnsupportedError: engine: wasm does not start here: .* 'wasm-unsafe-eval'; .*the engine "reference"/,
    );
  });
});
