/**
 * Tests that `npm test` leaves out, so that it takes less than five minutes on two cores: whole pages in a browser, many folders of
 * runs that were tampered with, many starts of mpirun, shaders that a CPU compiles, and the installation of the package. With HMGE_SLOW_TESTS=1, as in .ci/run,
 * it runs them too; so does naming one.
 */
const SLOW = [
  "test/explore.test.ts",
  "test/explore-features.test.ts",
  "test/explore-file.test.ts",
  "test/explore-hostile.test.ts",
  "test/explore-training.test.ts",
  "test/cli/explore-tampered.test.ts",
  "test/cluster/partition.test.ts",
  "test/cluster/mpi-exchanges.test.ts",
  "test/cluster/mpi-embed.test.ts",
  "test/cluster/mpi-sharing.test.ts",
  "test/contract/webgpu-ops.test.ts",
  "test/contract/webgpu-models.test.ts",
  "test/cli/webgpu.test.ts",
  "test/webgpu-tasks.test.ts",
  "test/package.test.ts",
];

/** The slow tests that a run with these arguments leaves out. */
export function slowTests(args) {
  if (process.env.HMGE_SLOW_TESTS === "1") return [];
  return SLOW.filter((file) => !args.some((arg) => arg !== "" && file.includes(arg)));
}

/** Whether the test is one of the slow ones. They start first, so that none of them runs alone at the end. */
export function isSlow(path) {
  return SLOW.some((file) => path.endsWith(file));
}
