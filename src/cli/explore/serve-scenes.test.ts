import { type IncomingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildScene } from "../../explore/scene/build-scene.js";
import { openScene } from "../../explore/scene/open-scene.js";
import { fetchedSource } from "../../explore/scene/scene-sources.js";
import { type SceneServer, serveScenes } from "./serve-scenes.js";

const POLICY = "default-src 'none'; script-src 'sha256-abc'";
const PAGE = `<html><head><meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${POLICY}" /></head></html>`;
const scene = buildScene({
  program: "1",
  title: "two nodes",
  model: "none",
  seed: 1,
  embedding: { ids: ["a", "b"], dim: 1, vectors: Float32Array.of(1, 2) },
  maps: [{ name: "map", positions: Float32Array.of(1, 2, 3, 4) }],
});

let server: SceneServer;
let base: URL;
beforeAll(async () => {
  server = await serveScenes([scene, scene], PAGE);
  base = new URL(server.address);
});
afterAll(() => server.close());

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the path as it is: fetch() would resolve ".." and set the Host header itself. */
function ask(path: string, { method = "GET", headers = {} }: Asked = {}) {
  return new Promise<{ status?: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const asked = request({ host: base.hostname, port: base.port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("latin1").on("data", (data: string) => {
        text += data;
      });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on("error", reject).end();
  });
}

describe("the server of the explorer", () => {
  test("serves the page with its number of scenes to the address with the token only", async () => {
    expect(base.hostname).toBe("127.0.0.1");
    expect(base.pathname).toMatch(/^\/[0-9a-f]{32}\/$/);
    const { status, text, headers } = await ask(base.pathname);
    expect(status).toBe(200);
    expect(text).toContain('<meta name="hmge-scenes" content="2" />');
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const token = base.pathname.slice(1, -1);
    const wrong = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
    for (const path of [
      "/",
      "/favicon.ico",
      `/${wrong}/`,
      `/${wrong}/scene/0/header`,
      `/x${base.pathname}`,
      `/?token=${token}`,
    ]) {
      const refused = await ask(path);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.text).not.toContain(token);
    }
  });

  test("leads an address without its last slash to the page", async () => {
    const { status, headers, text } = await ask(base.pathname.slice(0, -1));
    expect([status, headers.location]).toEqual([308, base.pathname]);
    expect(text).toBe("hmge explore: the address ends with a slash.\n");
    expect((await fetch(server.address.slice(0, -1))).url).toBe(server.address);
  });

  test("refuses pages of other origins, also those that frame it or open a socket", async () => {
    for (const origin of ["null", "https://evil.example", `http://127.0.0.1:${Number(base.port) + 1}`, "file://"]) {
      const { status, text } = await ask(base.pathname, { headers: { origin } });
      expect([origin, status, text]).toEqual([
        ...[origin, 403, "hmge explore: a page of another origin; expected the page of this server.\n"],
      ]);
    }
    expect((await ask(base.pathname, { headers: { origin: base.origin } })).status).toBe(200);
    const upgrade = { connection: "Upgrade", upgrade: "websocket", origin: "https://evil.example" };
    expect((await ask(base.pathname, { headers: upgrade })).status).toBe(403);
    const own = await ask(base.pathname, { headers: { ...upgrade, origin: base.origin } });
    expect(own.headers).not.toHaveProperty("upgrade");
  });

  test("answers very long addresses and headers, odd characters and many requests at once", async () => {
    const { pathname } = base;
    expect((await ask(pathname + "x".repeat(10_000))).status).toBe(404);
    expect((await ask(pathname + "x".repeat(100_000))).status).toBe(431);
    expect((await ask(pathname, { headers: { cookie: "x".repeat(100_000) } })).status).toBe(431);
    for (const path of ["%00", "%ff", "scene/0/part/ids%00", "%2e%2e/%2e%2e/etc/passwd", "..\\..\\etc", "<script>"]) {
      expect([path, (await ask(pathname + path)).status]).toEqual([path, 404]);
    }
    const many = await Promise.all(Array.from({ length: 100 }, () => ask(`${pathname}scene/0/part/ids`)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ask(pathname)).status).toBe(200);
  });

  test("gives a scene that opens", async () => {
    const opened = await openScene(fetchedSource(new URL("scene/1/", base).href));
    expect([opened.ids, opened.header]).toEqual([["a", "b"], scene.header]);
    expect([...(await opened.vectors())]).toEqual([1, 2]);
    const shares: number[] = [];
    await openScene(fetchedSource(new URL("scene/0/", base).href), { onProgress: (share) => shares.push(share) });
    expect(shares.at(-1)).toBe(1);
    await expect(fetchedSource(new URL("scene/7/", base).href).header()).rejects.toThrow("the server answered 404");
  });

  test("refuses other hosts, methods and paths", async () => {
    const { pathname, port } = base;
    const statusOf = async (path: string, asked?: Asked) => (await ask(path, asked)).status;
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", "127.0.0.1:1", `[::1]:${port}`]) {
      expect([host, await statusOf(pathname, { headers: { host } })]).toEqual([host, 403]);
    }
    expect(await statusOf(pathname, { headers: { host: `localhost:${port}` } })).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      expect([method, await statusOf(pathname, { method })]).toEqual([method, 405]);
    }
    for (const path of [
      "../../etc/passwd",
      "scene/0/part/../../../etc/passwd",
      "scene/0/part/%2e%2e%2fpasswd",
      "scene/0/part/constructor",
      "scene/0/part/decoder.0",
      "scene/0/part/",
      "scene/0/part/ids/",
      "scene/2/header",
      "scene/-1/header",
      "scene/0",
      "/",
      "run.json",
    ]) {
      expect([path, await statusOf(pathname + path)]).toEqual([path, 404]);
    }
  });

  test("sends the headers of a page that trusts nobody, also with a refusal", async () => {
    for (const path of [base.pathname, `${base.pathname}scene/0/part/ids`, "/"]) {
      expect((await ask(path)).headers).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": `${POLICY}; frame-ancestors 'none'`,
        "cross-origin-embedder-policy": "require-corp",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
    }
    const head = await ask(`${base.pathname}scene/0/part/vectors`, { method: "HEAD" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([
      200,
      "",
      String(scene.part("vectors").length),
    ]);
    expect((await ask(base.pathname)).headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("answers a part that cannot be made with the reason, and goes on", async () => {
    const broken = await serveScenes(
      [
        {
          ...scene,
          part: () => {
            throw new Error("the decoder is damaged.");
          },
        },
      ],
      PAGE,
    );
    const source = fetchedSource(new URL("scene/0/", broken.address).href);
    await expect(source.part("ids")).rejects.toThrow("answered 500 for ids: hmge explore: the decoder is damaged.");
    expect((await source.header()).title).toBe("two nodes");
    await broken.close();
  });

  test("names a port that is in use", async () => {
    await expect(serveScenes([scene], PAGE, Number(base.port))).rejects.toThrow(`--port: ${base.port} is in use`);
  });
});
