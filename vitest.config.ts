import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // a build of these sources: tests drive the program and the package as a user has them
    globalSetup: ["scripts/vitest-setup.mjs"],
    // processes, not threads: each engine sets flags of its JavaScript machine and starts threads of its own
    pool: "forks",
    // kernels that would read or write past their memory are caught here, also where users run them without checks
    env: { HMGE_BOUNDS_CHECKS: "1" },
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
