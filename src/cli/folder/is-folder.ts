import { stat } from "node:fs/promises";

/** Whether a path is a folder; false if it cannot be read. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
