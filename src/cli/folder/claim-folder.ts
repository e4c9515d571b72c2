/**
 * One run at a time into a folder. Two that begin before either has written anything would both find it empty, and the
 * later one to end would replace the other's results.
 *
 * The claim is a local socket named after the folder: the system closes it with the process however that ends, which a
 * file with a process number would not tell, and nothing is left in the folder itself.
 */

import { createHash } from "node:crypto";
import { mkdir, realpath, rmdir, stat, unlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { InputError } from "../../core/errors.js";

const NAME_LENGTH = 24; // paths of sockets end at some hundred characters
const WAIT_MILLISECONDS = 20;

/** Longest wait for another process that clears away what a killed one left. */
const MAX_MILLISECONDS = 2000;

/** Keeps other processes on this machine from claiming the folder until this one ends or calls the function returned. */
export async function claimFolder(out: string): Promise<() => Promise<void>> {
  const address = await addressOf(out);
  const end = performance.now() + MAX_MILLISECONDS;
  for (;;) {
    const server = (await listen(address)) ?? (await takeOver(address));
    if (server !== undefined) return () => new Promise((done) => server.close(() => done()));
    if ((await answers(address)) || performance.now() > end) {
      throw new InputError(
        `${out}: another run is writing to this folder now. Wait until it has ended, or choose another --out.`,
      );
    }
    await setTimeout(WAIT_MILLISECONDS);
  }
}

/** Listens where a killed process did. One at a time: a second would remove the socket that the first has just made. */
async function takeOver(address: string): Promise<Server | undefined> {
  const lock = `${address}.lock`;
  if (!(await mkdir(lock).then(yes, no))) {
    const age = await stat(lock).then(({ mtimeMs }) => Date.now() - mtimeMs, no);
    if (Number(age) > MAX_MILLISECONDS) await rmdir(lock).catch(no); // its process was killed too
    return undefined;
  }
  try {
    if (await answers(address)) return undefined;
    await unlink(address).catch(no);
    return await listen(address);
  } finally {
    await rmdir(lock).catch(no);
  }
}

const yes = () => true;
const no = () => false;

async function addressOf(out: string): Promise<string> {
  // one folder by two names is one folder; its last parts need not exist yet
  const known = async (path: string): Promise<string> =>
    realpath(path).catch(async () =>
      dirname(path) === path ? path : join(await known(dirname(path)), basename(path)),
    );
  const name = createHash("sha256")
    .update(`${userInfo().uid} ${await known(resolve(out))}`)
    .digest("hex")
    .slice(0, NAME_LENGTH);
  return process.platform === "win32" ? `\\\\.\\pipe\\hmge-${name}` : join(tmpdir(), `hmge-${name}.sock`);
}

/** Undefined where the address is taken. A system that gives no sockets at all is no reason not to train. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.on("error", ({ code }: NodeJS.ErrnoException) => done(code === "EADDRINUSE" ? undefined : server));
    server.listen(address, () => done(server));
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address, () => {
      socket.destroy();
      done(true);
    });
    socket.on("error", () => done(false));
  });
}
