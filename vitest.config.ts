import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isSlow, slowTests } from "./scripts/slow-tests.mjs";

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const slow = sorted.filter(({ moduleId }) => isSlow(moduleId));
    return [...slow, ...sorted.filter((file) => !slow.includes(file))];
  }
}

/** Runs after the other tests: its ranks wait for each other at every exchange, which takes four times as long on busy cores. */
const RANKS = "test/cluster/partition.test.ts";
const excluded = [...configDefaults.exclude, ...slowTests(process.argv)];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: "all", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: [...excluded, RANKS] },
      },
      { extends: true, test: { name: "ranks", include: [RANKS], exclude: excluded, sequence: { groupOrder: 1 } } },
    ],
    // builds the program and the package, which some tests use as a user does
    globalSetup: ["scripts/vitest-setup.mjs"],
    // processes, not threads: each engine sets flags of V8 and starts threads
    pool: "forks",
    // files share a process and its loaded modules: saves 0.4 s of CPU per file (36 files of src, 2 × Neoverse-N1, 2026-11-18)
    isolate: false,
    // kernels that read or write outside their memory fail here, also on platforms where users run them without checks
    env: { HMGE_BOUNDS_CHECKS: "1" },
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
