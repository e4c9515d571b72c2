/**
 * Allows one run at a time in a folder. Otherwise two runs could both find it empty, and the later one would replace the
 * results of the other.
 *
 * The claim is a local socket named after the folder. The system closes it when the process ends, even if it is killed, and
 * nothing is written into the folder.
 */

import { createHash } from "node:crypto";
import { mkdir, realpath, rmdir, stat, unlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { InputError } from "../../core/errors.js";

const NAME_LENGTH = 24; // paths of sockets are limited to about a hundred characters
const WAIT_MILLISECONDS = 20;

/** Maximum wait for another process that removes the socket of a killed one. */
const MAX_MILLISECONDS = 2000;

/** Claims the folder for this process. The returned function releases it; so does the end of the process. */
export async function claimFolder(out: string): Promise<() => Promise<void>> {
  const address = await addressOf(out);
  const end = performance.now() + MAX_MILLISECONDS;
  for (;;) {
    const server = (await listen(address)) ?? (await takeOver(address));
    if (server !== undefined) return () => new Promise((done) => server.close(() => done()));
    if ((await answers(address)) || performance.now() > end) {
      throw new InputError(
        `${out}: another run is writing to this folder now. Wait until it ends, or choose another --out.`,
      );
    }
    await setTimeout(WAIT_MILLISECONDS);
  }
}

/** Replaces the socket of a killed process. A lock allows one process at a time, or a second would remove the first's new socket. */
async function takeOver(address: string): Promise<Server | undefined> {
  const lock = `${address}.lock`;
  if (!(await mkdir(lock).then(yes, no))) {
    const age = await stat(lock).then(({ mtimeMs }) => Date.now() - mtimeMs, no);
    if (Number(age) > MAX_MILLISECONDS) await rmdir(lock).catch(no); // the process of the lock was killed too
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
  // two names of one folder give the same path; its last parts need not exist yet
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

/** Undefined if the address is taken. On a system without sockets the run continues unclaimed. */
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
