/**
 * The server of the explorer, for this machine only. It listens on the loopback address, answers only requests that know a random
 * token, and has a fixed list of answers: the page, and the header and parts of each scene. It never turns a path into a file name.
 */

import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InputError } from "../../core/errors.js";
import type { SceneParts } from "../../explore/scene/build-scene.js";
import { policyOf, servedPage } from "./explore-page.js";

const HOST = "127.0.0.1";
/** Names of this machine in the Host header. A page of another name that resolves to this machine is refused (DNS rebinding). */
const HOST_NAMES = [HOST, "localhost"];
/** Port that browsers leave out of the Host header. */
const HTTP_PORT = 80;
const TOKEN_BYTES = 16;

/** Headers of every answer. The two for isolation allow threads of WebAssembly. */
const HEADERS = {
  "Cache-Control": "no-store",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

export interface SceneServer {
  /** Address of the page, with the token. */
  readonly address: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly content: string | Uint8Array;
  /** Where the browser should go instead. */
  readonly location?: string;
}

/** Serves the page with these scenes; port 0 is any free port. */
export async function serveScenes(scenes: readonly SceneParts[], page: string, port = 0): Promise<SceneServer> {
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const policy = `${policyOf(page)}; frame-ancestors 'none'`;
  const html = servedPage(page, scenes.length);
  const server = createServer((request, response) => {
    const actual = (server.address() as AddressInfo | null)?.port ?? port;
    send(
      request,
      response,
      safely(() => answerTo(request, { token, port: actual, html, scenes })),
      policy,
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFault(error, port)));
    server.listen({ host: HOST, port }, resolve);
  });
  return {
    address: `http://${HOST}:${(server.address() as AddressInfo).port}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listenFault(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new InputError(`--port: ${port} is in use; expected a free port. Choose another, or leave it out.`);
  }
  if (error.code === "EACCES") {
    return new InputError(
      `--port: ${port} needs more rights; expected a port from 1024. Choose another, or leave it out.`,
    );
  }
  return error;
}

interface Served {
  readonly token: string;
  readonly port: number;
  readonly html: string;
  readonly scenes: readonly SceneParts[];
}

function answerTo({ method, headers, url = "" }: IncomingMessage, { token, port, html, scenes }: Served): Answer {
  const names = HOST_NAMES.flatMap((name) => [`${name}:${port}`, ...(port === HTTP_PORT ? [name] : [])]);
  if (!names.includes(headers.host ?? "")) return refusal(403, "another host; expected the address that hmge printed");
  const { origin } = headers;
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
    return refusal(403, "a page of another origin; expected the page of this server");
  const [, found = "", ...rest] = url.split("?", 1)[0].split("/");
  if (!isSame(found, token)) return refusal(403, "no token; expected the whole address that hmge printed");
  if (method !== "GET" && method !== "HEAD") return refusal(405, `${method}; expected GET`);
  // without its last slash the address would make the page ask for parts without the token
  if (rest.length === 0) return { ...refusal(308, "the address ends with a slash"), location: `/${token}/` };
  const path = rest.join("/");
  if (path === "") return { status: 200, type: "text/html; charset=utf-8", content: html };
  const [, number, header, name] = /^scene\/(\d{1,4})\/(?:(header)|part\/([a-z]+(?:\.\d+)?))$/.exec(path) ?? [];
  const scene = number === undefined ? undefined : scenes[Number(number)];
  if (scene !== undefined && header !== undefined) {
    return { status: 200, type: "application/json; charset=utf-8", content: JSON.stringify(scene.header) };
  }
  if (scene === undefined || !scene.names.includes(name)) return refusal(404, "no such part of the page");
  return { status: 200, type: "application/octet-stream", content: scene.part(name) };
}

/** An error becomes an answer: it must not end the server. */
function safely(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    return refusal(500, error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
}

/** Compares in a time that does not depend on the number of equal characters. */
function isSame(found: string, token: string): boolean {
  const [a, b] = [found, token].map((text) => Buffer.from(text));
  return a.length === b.length && timingSafeEqual(a, b);
}

function refusal(status: number, reason: string): Answer {
  return { status, type: "text/plain; charset=utf-8", content: `hmge explore: ${reason}.\n` };
}

function send({ method }: IncomingMessage, response: ServerResponse, answer: Answer, policy: string): void {
  const body = typeof answer.content === "string" ? Buffer.from(answer.content) : answer.content;
  response.writeHead(answer.status, {
    ...HEADERS,
    "Content-Security-Policy": policy,
    "Content-Type": answer.type,
    "Content-Length": body.length,
    ...(answer.status === 405 ? { Allow: "GET, HEAD" } : {}),
    ...(answer.location === undefined ? {} : { Location: answer.location }),
  });
  response.end(method === "HEAD" ? undefined : body);
}
