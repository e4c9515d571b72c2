/**
 * Time of the exchanges between ranks by size, for the table of docs/cluster.md: mpirun -n 2 node bench/exchanges.mjs
 * (after npm run build). Prints the time of the fastest call for bytes that each rank sends to each other one: other processes on
 * the machine delay most calls. A barrier comes before every call, so that waiting for a late rank does not count.
 */
import { MpiRanks } from "../dist/cluster/mpi.js";
import { loadMpiLibrary } from "../dist/cluster/mpi-library.js";

process.env.OMPI_MCA_mpi_yield_when_idle ??= "1"; // as hmge does
const ranks = new MpiRanks(await loadMpiLibrary());
const { rank, size } = ranks;
/** Seconds of repetition for each size; at least 10 calls. Not tuned. */
const SECONDS = 0.3;

const perRank = (value) => Array.from({ length: size }, (_, r) => value(r));

/** Microseconds of the fastest call. All ranks repeat it equally often, so rank 0's first time sets the number of calls. */
function measure(call) {
  const time = () => {
    ranks.barrier();
    const begin = performance.now();
    call();
    return 1000 * (performance.now() - begin);
  };
  time();
  const count = new Float64Array([Math.min(2000, Math.max(10, Math.round((SECONDS * 1e6) / time())))]);
  ranks.broadcast(new Uint8Array(count.buffer), 0);
  return Math.min(...Array.from({ length: count[0] }, time));
}

if (rank === 0) console.log(`${ranks.description}\n     bytes  allToAll µs   GB/s  allGather µs   GB/s`);
for (let bytes = 4; bytes <= 2 ** 26; bytes *= 4) {
  const words = bytes / 4;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((2 * size * bytes) / 65536), maximum: 65536, shared: true });
  const [send, receive] = [0, 1].map((k) => new Uint32Array(memory.buffer, k * size * bytes, size * words));
  send.fill(1);
  receive.fill(2);
  // nothing to itself: a halo has no own rows
  const parts = (data) => ({
    data,
    counts: perRank((r) => (r === rank ? 0 : words)),
    displacements: perRank((r) => r * words),
  });
  const toAll = measure(() => ranks.allToAll(parts(send), parts(receive)));
  const buffer = new Uint8Array(memory.buffer, 0, size * bytes);
  const gather = measure(() =>
    ranks.allGather(
      buffer,
      perRank(() => bytes),
      perRank((r) => r * bytes),
    ),
  );
  const rate = (microseconds) => ((bytes * (size - 1)) / microseconds / 1000).toFixed(2).padStart(6);
  if (rank === 0) {
    const columns = [toAll, gather].map((time) => `${time.toFixed(1).padStart(12)} ${rate(time)}`);
    console.log(`${String(bytes).padStart(10)} ${columns.join("  ")}`);
  }
}
ranks.finalize();
