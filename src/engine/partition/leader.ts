/**
 * Rank 0 works alone for a while, for example to write files, and the other ranks make every call that rank 0 makes on a divided
 * program: replay a segment, send rows.
 */

import { InternalError } from "../../core/errors.js";
import type { Ranks } from "../ranks.js";

/** A divided program, as the other ranks see it. */
export interface LedExecutable {
  runNumber(segment: number): void;
  sendRows(tensor: number, rows: Uint32Array): void;
}

/** Kinds of messages. */
const END = 0;
const RUN = 1;
const READ_ROWS = 2;

/** Numbers of a message: kind, number of the executable, number of the segment or tensor, number of rows. */
const MESSAGE_LENGTH = 4;

export class Leader {
  readonly #ranks: Ranks;
  readonly #executables = new Map<number, LedExecutable>();
  #numAdded = 0;
  #isLeading = false;

  constructor(ranks: Ranks) {
    this.#ranks = ranks;
  }

  /** Whether this is rank 0 and the others wait for its calls. */
  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** Returns the number of the executable. All ranks add the same ones in the same order. */
  add(executable: LedExecutable): number {
    if (this.#isLeading) throw new InternalError("leader: rank 0 compiles a divided program alone");
    this.#executables.set(this.#numAdded, executable);
    return this.#numAdded++;
  }

  /** Forgets an executable, so that its memory can be freed. */
  remove(number: number): void {
    this.#executables.delete(number);
  }

  /** All ranks call it. Only rank 0 does `work` and receives its result; the others return when it has ended. */
  async lead<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#ranks.rank !== 0) {
      this.#follow();
      return undefined;
    }
    this.#isLeading = true;
    try {
      return await work();
    } finally {
      this.#isLeading = false;
      this.#send([END, 0, 0, 0]);
    }
  }

  /** If this rank leads, the others replay the segment too. */
  announceRun(executable: number, segment: number): void {
    if (this.#isLeading) this.#send([RUN, executable, segment, 0]);
  }

  /** If this rank leads, the others send these rows. */
  announceRows(executable: number, tensor: number, rows: Uint32Array): void {
    if (!this.#isLeading) return;
    this.#send([READ_ROWS, executable, tensor, rows.length]);
    this.#broadcast(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  }

  #follow(): void {
    const message = new Float64Array(MESSAGE_LENGTH);
    for (;;) {
      this.#broadcast(new Uint8Array(message.buffer));
      const [kind, number, what, count] = message;
      if (kind === END) return;
      const executable = this.#executables.get(number);
      if (executable === undefined) throw new InternalError(`leader: executable ${number} was disposed of`);
      if (kind === RUN) {
        executable.runNumber(what);
        continue;
      }
      const rows = new Uint32Array(count);
      this.#broadcast(new Uint8Array(rows.buffer));
      executable.sendRows(what, rows);
    }
  }

  #send(message: readonly number[]): void {
    this.#broadcast(new Uint8Array(Float64Array.from(message).buffer));
  }

  /** Copies the bytes of rank 0 to all ranks. */
  #broadcast(bytes: Uint8Array): void {
    const zeros = new Array<number>(this.#ranks.size).fill(0);
    this.#ranks.allGather(
      bytes,
      zeros.map((_, rank) => (rank === 0 ? bytes.length : 0)),
      zeros,
    );
  }
}
