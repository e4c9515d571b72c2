/** Files that enter the page. */

import { InputError } from "../../../index.js";
import type { Component } from "../../dom.js";
import { element } from "../../dom.js";

/** Maximum MiB of a state or a node table, which is read as one text. Not tuned. */
const MAX_MIB = 100;

/** Throws if the file is too large to be read as one text. */
export function requireFileSize({ name, size }: Pick<File, "name" | "size">): void {
  const found = size / 2 ** 20;
  if (found <= MAX_MIB) return;
  throw new InputError(
    `${name}: ${Math.ceil(found)} MiB; expected at most ${MAX_MIB} MiB. Leave out columns, or give the table to hmge explore with --nodes.`,
  );
}

/** Asks the visitor for a file; calls `onFile` if one is chosen. */
export function chooseFile(accept: string, onFile: (file: File) => void): void {
  const input = element("input", { type: "file", accept });
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file !== undefined) onFile(file);
  });
  input.click();
}

/** Calls `onFile` with each file that is dropped anywhere on the page, and shows that one may be dropped. */
export function acceptDrops(onFile: (file: File) => void): Component {
  const root = document.documentElement;
  const onOver = (event: DragEvent) => {
    if (!(event.dataTransfer?.types.includes("Files") ?? false)) return;
    event.preventDefault();
    root.classList.add("app-dropping");
  };
  const onLeave = (event: DragEvent) => {
    if (event.relatedTarget === null) root.classList.remove("app-dropping");
  };
  const onDrop = (event: DragEvent) => {
    root.classList.remove("app-dropping");
    if (event.defaultPrevented) return; // a part of the page took it
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) onFile(file);
  };
  addEventListener("dragover", onOver);
  addEventListener("dragleave", onLeave);
  addEventListener("drop", onDrop);
  return {
    dispose() {
      removeEventListener("dragover", onOver);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
    },
  };
}
