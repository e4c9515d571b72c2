/** Finds and loads the MPI library of the machine through koffi. */

import { existsSync } from "node:fs";
import { InputError } from "../core/errors.js";
import { type MpiFamily, readLaunch } from "./launch.js";

/** Environment variable with the path or name of the MPI library to load. */
export const LIBRARY_VARIABLE = "HMGE_MPI_LIBRARY";

/** Names of the library, for the dynamic linker. Both families use libmpi; Debian calls MPICH's libmpich. */
const LIBRARY_NAMES: Readonly<Record<MpiFamily, readonly string[]>> =
  process.platform === "darwin"
    ? {
        "Open MPI": ["libmpi.40.dylib", "/opt/homebrew/opt/open-mpi/lib/libmpi.dylib"],
        MPICH: ["libmpi.12.dylib", "/opt/homebrew/opt/mpich/lib/libmpi.dylib"],
      }
    : { "Open MPI": ["libmpi.so.40"], MPICH: ["libmpich.so.12", "libmpi.so.12"] };

export const INSTALL_ADVICE = "Install Open MPI or MPICH (on Debian: apt-get install openmpi-bin)";

/** Bytes for a text of the library: at least MPI_MAX_LIBRARY_VERSION_STRING and MPI_MAX_ERROR_STRING of both families. */
export const TEXT_BYTES = 8192;

/** A value that the library takes as a handle: an address (Open MPI) or an integer (MPICH). */
export type Handle = bigint | number;
export type NativeFunction = (...args: readonly (Handle | ArrayBufferView | null)[]) => number;

/** The functions of koffi that are used here. */
interface Koffi {
  /** Without a path: the functions of this process and of the C library. */
  load(path: string | null, options: { readonly global: boolean }): NativeLibrary;
  /** Memory at an address, without a copy. */
  view(address: bigint, length: number): ArrayBuffer;
}

export interface NativeLibrary {
  func(name: string, result: string, parameters: readonly string[]): NativeFunction;
  symbol(name: string): bigint;
}

/** A loaded library that is not initialised yet. */
export interface MpiLibrary {
  readonly family: MpiFamily;
  /** Name and version, such as "Open MPI v4.1.4". */
  readonly version: string;
  /** As it was given to the dynamic linker. */
  readonly path: string;
  readonly native: NativeLibrary;
}

/** Loads the library of `HMGE_MPI_LIBRARY`; else one of the family, by default that of the mpirun which started this process; else any. */
export async function loadMpiLibrary(wanted = readLaunch()?.family): Promise<MpiLibrary> {
  const koffi = await loadKoffi();
  const given = process.env[LIBRARY_VARIABLE];
  if (given !== undefined && given !== "") {
    if (given.includes("/") && !existsSync(given)) {
      throw new InputError(`${LIBRARY_VARIABLE}: ${given} does not exist; expected the path of an MPI library.`);
    }
    try {
      return openLibrary(koffi, given);
    } catch (error) {
      throw new InputError(`${LIBRARY_VARIABLE}: ${given} cannot be loaded as an MPI library: ${firstLine(error)}.`);
    }
  }
  const families: readonly MpiFamily[] = wanted === undefined ? ["Open MPI", "MPICH"] : [wanted];
  const names = families.flatMap((family) => LIBRARY_NAMES[family]);
  for (const name of names) {
    try {
      return openLibrary(koffi, name);
    } catch {
      // the next name may exist
    }
  }
  throw new InputError(
    wanted === undefined
      ? `no MPI library was found. ${INSTALL_ADVICE}, or set ${LIBRARY_VARIABLE} to the path of the library.`
      : `no library of ${wanted} was found (${names.join(", ")}), but its mpirun exists. Set ${LIBRARY_VARIABLE} to the path of the library.`,
  );
}

export async function loadKoffi(): Promise<Koffi> {
  try {
    const { default: koffi } = await import("koffi");
    return koffi;
  } catch (error) {
    throw new InputError(
      `the package koffi, which calls MPI, cannot be loaded (${firstLine(error)}). Install it: npm install koffi`,
    );
  }
}

function openLibrary(koffi: Koffi, path: string): MpiLibrary {
  // UCX, the transport of Debian's MPICH, intercepts the calls that allocate memory, for a cache that only some networks use. Ranks were
  // then ended by SIGSEGV within V8. It reads this when it is loaded.
  process.env["UCX_MEM_EVENTS"] ??= "no";
  // global: Open MPI's own plug-ins look up its symbols
  const native = koffi.load(path, { global: true });
  const text = new Uint8Array(TEXT_BYTES);
  const length = new Int32Array(1);
  native.func("MPI_Get_library_version", "int", ["void*", "void*"])(text, length);
  const [line] = new TextDecoder().decode(text.subarray(0, length[0])).split(/[,\n\0]/);
  const version = line.replace(/ Version:\s*/, " ").trim();
  return { family: hasSymbol(native, "ompi_mpi_comm_world") ? "Open MPI" : "MPICH", version, path, native };
}

function hasSymbol(native: NativeLibrary, name: string): boolean {
  try {
    return native.symbol(name) !== 0n;
  } catch {
    return false;
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0].replace(/\.$/, "");
}
