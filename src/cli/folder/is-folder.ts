import { stat } from "node:fs/promises";

/** Whether a path leads to a folder; what cannot be looked at is none. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
