/** Lets the browser save data as a file of the visitor. */

import { element } from "./dom.js";

/** Milliseconds after which the data may be forgotten: the browser reads them after the click, of a large file for a while. */
const KEPT = 60_000;

export function download(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
