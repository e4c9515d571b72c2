/**
 * Total seconds of `hmge embed` with another build of the program and with this one, one after the other.
 *
 *   node bench/run.mjs against-build OTHER_DIST DATASET… [--threads N] [--rounds 1]
 *
 * OTHER_DIST is the folder dist/ of the other build, for example of an earlier version in a second clone. Every graph is embedded by
 * both programs in turn, with the default model; the ratio is that of the smallest times. Compare on an idle machine.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { numberOption } from "./options.js";

const threads = numberOption("threads", availableParallelism());
const rounds = numberOption("rounds", 1);
const words = process.argv.slice(2).filter((word, i, all) => !word.startsWith("--") && !all[i - 1]?.startsWith("--"));
const [other, ...datasets] = words;
const OWN = fileURLToPath(new URL("../dist", import.meta.url));
if (datasets.length === 0 || !existsSync(join(other, "cli/main.js"))) {
  console.error("bench against-build: expected OTHER_DIST DATASET…, where OTHER_DIST contains cli/main.js.");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "hmge-bench-"));

/** Seconds of one run. */
function embed(build: string, dataset: string): number {
  const features = ["features.tsv.gz", "features.tsv"]
    .map((name) => join(dataset, name))
    .filter((path) => existsSync(path));
  const args = [join(build, "cli/main.js"), "embed", dataset, "--out", join(folder, "run"), "--overwrite", "--quiet"];
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [...args, ...features.flatMap((path) => ["--features", path]), "--threads", String(threads), "--no-report"],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${build}: ${stderr}`);
  return (performance.now() - start) / 1000;
}

const rows = datasets.map((dataset) => {
  const times = [resolve(other), OWN].map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    times[0].push(embed(resolve(other), dataset));
    times[1].push(embed(OWN, dataset));
  }
  const [before, now] = times.map((seconds) => Math.min(...seconds));
  console.error(`${basename(dataset)}: ${before.toFixed(1)} s and ${now.toFixed(1)} s, ${(now / before).toFixed(2)}`);
  return [basename(dataset), before.toFixed(1), now.toFixed(1), (now / before).toFixed(2)];
});
rmSync(folder, { recursive: true });
const versionOf = (build: string) => JSON.parse(readFileSync(join(build, "../package.json"), "utf8")).version;
console.log(`version ${versionOf(resolve(other))} and this build (${versionOf(OWN)}), ${threads} threads`);
console.log(table(tableText({ header: ["graph", "other, s", "this, s", "ratio"], rows }), { ascii: false }));
