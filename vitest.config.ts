import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // builds the program and the package, which some tests use as a user does
    globalSetup: ["scripts/vitest-setup.mjs"],
    // processes, not threads: each engine sets flags of V8 and starts threads
    pool: "forks",
    // test files share their process and its loaded modules, which saves a third of a second per file
    isolate: false,
    // kernels that read or write outside their memory fail here, also on platforms where users run them without checks
    env: { HMGE_BOUNDS_CHECKS: "1" },
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
