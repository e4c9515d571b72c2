/**
 * One run at a time into a folder. Two that begin before either has written anything would both find it empty, and the
 * later one to end would replace the other's results.
 *
 * The claim is a local socket named after the folder: the system closes it with the process however that ends, which a
 * file with a process number would not tell, and nothing is left in the folder itself.
 */

import { createHash } from "node:crypto";
import { realpath, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../core/errors.js";

const NAME_LENGTH = 24; // paths of sockets end at some hundred characters

/** Keeps other processes from claiming the folder until this one ends or calls the function returned. */
export async function claimFolder(out: string): Promise<() => Promise<void>> {
  const address = await addressOf(out);
  const server = (await listen(address)) ?? (await listenAgain(address));
  if (server === undefined) {
    throw new InputError(
      `${out}: another run is writing to this folder now. Wait until it has ended, or choose another --out.`,
    );
  }
  return () => new Promise((done) => server.close(() => done()));
}

async function addressOf(out: string): Promise<string> {
  const path = resolve(out);
  // one folder by two names is one folder; the last part need not exist yet
  const real = await realpath(path).catch(async () =>
    join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)),
  );
  const name = `hmge-${createHash("sha256").update(real).digest("hex").slice(0, NAME_LENGTH)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Undefined where the address is taken. A system that gives no sockets at all is no reason not to train. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.on("error", ({ code }: NodeJS.ErrnoException) => done(code === "EADDRINUSE" ? undefined : server));
    server.listen(address, () => done(server));
  });
}

/** A socket that nobody answers is what a killed process left. */
async function listenAgain(address: string): Promise<Server | undefined> {
  const answered = await new Promise<boolean>((done) => {
    const socket = connect(address, () => {
      socket.destroy();
      done(true);
    });
    socket.on("error", () => done(false));
  });
  if (answered) return undefined;
  await rm(address, { force: true });
  return listen(address);
}
