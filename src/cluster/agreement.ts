/** Ranks compare what must be equal on all of them, and rank 0 gives values to the others. */

import { deserialize, serialize } from "node:v8";
import { InputError } from "../core/errors.js";
import type { Ranks } from "../engine/ranks.js";
import type { MpiRanks } from "./mpi.js";

type Messages = Pick<MpiRanks, "rank" | "size" | "allGather" | "broadcast">;

/** Values by name, such as the version and the options. */
export type Facts = Readonly<Record<string, string>>;

/**
 * Throws on every rank if a fact differs between two ranks; the message names the first difference and its rank. Other versions of
 * this program may take part, so the form of the exchange is fixed: 8 bytes with the length, then JSON.
 */
export function requireAgreement(ranks: Messages, facts: Facts, advice: string): void {
  const [first, ...others] = gatherTexts(ranks, JSON.stringify(facts)).map((text): Facts => JSON.parse(text));
  others.forEach((own, i) => {
    for (const name of new Set([...Object.keys(first), ...Object.keys(own)])) {
      if (own[name] === first[name]) continue;
      const [here, there] = [own[name], first[name]].map((value) => value ?? "not given");
      throw new InputError(`rank ${i + 1}: ${name} is ${here}; rank 0 has ${there}. ${advice}`);
    }
  });
}

/** The texts of all ranks, in their order. */
export function gatherTexts(ranks: Pick<Ranks, "rank" | "size" | "allGather">, text: string): string[] {
  const { rank, size } = ranks;
  const own = new TextEncoder().encode(text);
  const lengths = new Float64Array(size);
  lengths[rank] = own.length;
  const numbers = (make: (rank: number) => number) => Array.from({ length: size }, (_, r) => make(r));
  ranks.allGather(
    new Uint8Array(lengths.buffer),
    numbers(() => 8),
    numbers((r) => 8 * r),
  );
  const starts = numbers((r) => lengths.subarray(0, r).reduce((sum, length) => sum + length, 0));
  const bytes = new Uint8Array(starts[size - 1] + lengths[size - 1]);
  bytes.set(own, starts[rank]);
  ranks.allGather(bytes, lengths, starts);
  return starts.map((start, r) => new TextDecoder().decode(bytes.subarray(start, start + lengths[r])));
}

/** Returns rank 0's value on every rank; `make` is called on rank 0 only. The value may hold arrays, maps and typed arrays. */
export async function shareFirst<T>(ranks: Messages, make: () => T | Promise<T>): Promise<T> {
  const length = new Float64Array(1);
  if (ranks.rank === 0) {
    const value = await make();
    const bytes = serialize(value);
    length[0] = bytes.length;
    ranks.broadcast(new Uint8Array(length.buffer), 0);
    ranks.broadcast(bytes, 0);
    return value;
  }
  ranks.broadcast(new Uint8Array(length.buffer), 0);
  const bytes = new Uint8Array(length[0]);
  ranks.broadcast(bytes, 0);
  return deserialize(bytes);
}
