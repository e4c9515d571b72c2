/** The formats of vectors that a command was given. */

import { formatByName } from "../../io/formats/write-embeddings.js";
import { type Arguments, textOption } from "../command.js";

export function readFormats(given: Arguments): string[] {
  const names = (textOption(given, "format") ?? "").split(",").map((name) => name.trim());
  const chosen = ["parquet", ...names.filter((name) => name !== "")];
  return [...new Set(chosen)].map((name) => formatByName(name).name);
}
