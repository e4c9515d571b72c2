/** Chooses the format of a result file by its extension. */

import { extname } from "node:path";
import { InputError } from "../../core/errors.js";

/** The format among `formats` that the extension of a path names. */
export function extensionFormat<Format extends string>(path: string, formats: readonly Format[]): Format {
  const extension = extname(path).slice(1).toLowerCase();
  const format = formats.find((known) => known === extension);
  if (format !== undefined) return format;
  const known = formats.map((name) => `.${name}`).join(", ");
  throw new InputError(`${path}: unknown extension; expected one of ${known}. Choose one of them for --out.`);
}
