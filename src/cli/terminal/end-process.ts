/** Ends the process of a command. */

import { isProcessHeld } from "../../engine/held-process.js";

/** Exits if a GPU was used, whose objects would keep the process alive; otherwise Node ends when nothing is left to do. */
export async function endProcess(): Promise<void> {
  if (!isProcessHeld()) return;
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit();
}

/** Resolves when everything written so far has been passed on, or nobody reads it. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write("", () => resolve());
  });
}
