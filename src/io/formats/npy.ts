/** NumPy's npy (https://numpy.org/neps/nep-0001-npy-format.html): float32 [nodes, dim]; the ids are in a second, text file. */

import { open } from "node:fs/promises";
import { InputError } from "../../core/errors.js";
import { NPY_MAGIC, npyHeader } from "../../core/vector-text.js";
import { writeAllAtomically } from "../atomic-write.js";
import { readLines } from "../file-head.js";
import { cannotRead, readInput, requireFile } from "../read-input.js";
import { companion, defineFormat, finiteSlices, refuseIds } from "./format.js";

export const npy = defineFormat({
  name: "npy",
  extension: "npy",
  doc: "NumPy array, float32 [nodes, dim]; the ids in NAME.ids.txt, one per line",
  checkIds: (ids) => refuseIds(ids, /[\r\n]/, "npy", "line breaks"),
  async write(path, source) {
    const { ids, dim } = source;
    this.checkIds?.(ids);
    function* bytes(): Generator<Uint8Array> {
      yield npyHeader(ids.length, dim);
      for (const { vectors } of finiteSlices(source)) {
        yield new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
      }
    }
    const idsPath = companion(path, ".npy", ".ids.txt");
    await writeAllAtomically([
      { path, content: bytes() },
      { path: idsPath, content: ids.map((id) => `${id}\n`) },
    ]);
    return [path, idsPath];
  },
  async read(path, store) {
    await requireFile(path);
    const { rows, dim, start, size } = await readStart(path).catch((error: unknown) => {
      throw cannotRead(error, path);
    });
    if (size - start !== rows * dim * 4) {
      throw new InputError(
        `${path}: ${size - start} bytes of numbers; expected ${rows * dim * 4} for ${rows} × ${dim}. The file may be cut off.`,
      );
    }
    const idsPath = companion(path, ".npy", ".ids.txt");
    const ids = readLines(await readInput(idsPath), idsPath);
    if (ids.length !== rows) {
      throw new InputError(`${idsPath}: ${ids.length} ids; expected ${rows}, one for each row of ${path}.`);
    }
    store.takeFile(path, start, rows * dim);
    return { ids, dim };
  },
});

/** Maximum number of bytes of a header; NumPy writes 128 for any array of floats. Not tuned. */
const MAX_HEADER = 2 ** 16;

/** The header of a file and the file's size. */
async function readStart(path: string) {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const head = new Uint8Array(Math.min(size, MAX_HEADER));
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return { ...readHeader(head.subarray(0, bytesRead), path), size };
  } finally {
    await file.close();
  }
}

function readHeader(bytes: Uint8Array, path: string): { rows: number; dim: number; start: number } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 12 || view.toString("latin1", 0, 6) !== NPY_MAGIC) {
    throw new InputError(`${path}: not an npy file: it does not begin with NumPy's signature.`);
  }
  const long = view[6] >= 2;
  const start = (long ? 12 : 10) + (long ? view.readUInt32LE(8) : view.readUInt16LE(8));
  const header = view.toString("latin1", long ? 12 : 10, start);
  const shape = /'shape':\s*\((\d+),\s*(\d+)\)/.exec(header);
  if (
    start > view.length ||
    !/'descr':\s*'<f4'/.test(header) ||
    !/'fortran_order':\s*False/.test(header) ||
    shape === null
  ) {
    throw new InputError(
      `${path}: the header is ${JSON.stringify(header.trim().slice(0, 100))}; expected float32 ('<f4') of two axes, row by row.`,
    );
  }
  return { rows: Number(shape[1]), dim: Number(shape[2]), start };
}
