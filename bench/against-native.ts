/**
 * Compares the kernels with native code: the sparse product with a 0/1 matrix (4096 rows, 1.4 M entries, width 128) with C
 * compiled with -O3 -march=native, and dense products such as 4096×64×64 with the multiply-add peak of the same C program. One
 * thread, with this version of Node and with another one.
 *
 *   node bench/run.mjs against-native [--node 24] [--rounds 5] [--json FILE]
 *
 * Needs gcc. The other Node comes from npm's package `node`, installed into a temporary folder. Native code and kernels run in
 * turn; the fastest of all rounds is reported for both.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateRandom } from "../src/graph/synthetic/random-multiplex.js";
import { table } from "../src/report/terminal.js";
import { textOption } from "./options.js";

const rounds = Number(textOption("rounds", "5"));
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "hmge-native-"));

interface Native {
  readonly whole: number;
  readonly tiles64: number;
  readonly tiles32: number;
  readonly multiplyAdds: number;
}

interface KernelRecord {
  readonly name: string;
  readonly multiplyAdds?: number;
  readonly times: readonly { readonly fastest: number }[];
}

/** Multiply-adds per second of every kernel with one version of Node, by the name of the kernel. */
function kernelRates(node: string): Map<string, number> {
  const command = [join(here, "..", "dist", "cli", "main.js"), "bench", "--shapes", "none", "--threads", "1", "--json"];
  const { kernels } = JSON.parse(execFileSync(node, [...command, "--samples", "9", "--quiet"], { encoding: "utf8" }));
  const rates = (kernels as KernelRecord[]).map(({ name, multiplyAdds = 0, times }) => {
    return [name, multiplyAdds / times[0].fastest] as const;
  });
  return new Map(rates);
}

try {
  const [{ rowStart, columns }] = generateRandom({ nodes: 4096, relations: 1, edges: 700_000, seed: 1 }).relations;
  const paths = [join(folder, "rowStart"), join(folder, "columns")];
  writeFileSync(paths[0], rowStart);
  writeFileSync(paths[1], columns);
  const program = join(folder, "native");
  execFileSync("gcc", ["-O3", "-march=native", join(here, "native.c"), "-o", program], { stdio: "inherit" });
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--silent", "--no-save", `node@${textOption("node", "24")}`], { cwd: folder });
  const nodes = [process.execPath, join(folder, "node_modules", "node", "bin", "node")];
  const versions = nodes.map((node) => execFileSync(node, ["--version"], { encoding: "utf8" }).trim());

  let sparse = 0;
  let peak = 0;
  const best = nodes.map(() => new Map<string, number>());
  for (let round = 0; round < rounds; round++) {
    const native: Native = JSON.parse(execFileSync(program, [...paths, "4096", "128", "9"], { encoding: "utf8" }));
    sparse = Math.max(sparse, (columns.length * 128) / Math.min(native.whole, native.tiles64, native.tiles32));
    peak = Math.max(peak, native.multiplyAdds);
    for (const [n, node] of nodes.entries()) {
      for (const [name, rate] of kernelRates(node)) best[n].set(name, Math.max(rate, best[n].get(name) ?? 0));
    }
  }
  const compared: [kernel: string, native: string, rate: number][] = [
    ["sparse product, 0/1", "sparse product in C", sparse],
    ["sparse product, weighted", "sparse product in C, 0/1", sparse],
    ["product 4096×64×64", "multiply-add peak in C", peak],
    ["gradient 64×4096×64", "multiply-add peak in C", peak],
    ["product 4096×256×64", "multiply-add peak in C", peak],
    ["multiply-add peak", "multiply-add peak in C", peak],
  ];
  const rows = compared.map(([kernel, native, rate]) => {
    const ours = nodes.map((_, n) => best[n].get(kernel) ?? Number.NaN);
    return { kernel, native, nativeRate: rate, rates: ours, shares: ours.map((one) => one / rate) };
  });
  const record = {
    command: `node bench/run.mjs against-native --rounds ${rounds}`,
    date: new Date().toISOString(),
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), load: loadavg() },
    compiler: execFileSync("gcc", ["--version"], { encoding: "utf8" }).split("\n")[0],
    nodes: versions,
    rows,
  };
  const path = textOption("json", "");
  if (path !== "") writeFileSync(path, `${JSON.stringify(record, undefined, 2)}\n`);
  console.log("multiply-adds per second (10⁹), one thread, fastest of all rounds\n");
  const giga = (rate: number) => (rate / 1e9).toFixed(1);
  console.log(
    table([
      ["kernel", "compared with", "native", ...versions.flatMap((version) => [`Node ${version}`, "share"])],
      ...rows.map(({ kernel, native, nativeRate, rates, shares }) => [
        kernel,
        native,
        giga(nativeRate),
        ...rates.flatMap((rate, n) => [giga(rate), `${(100 * shares[n]).toFixed(0)} %`]),
      ]),
    ]),
  );
} finally {
  rmSync(folder, { recursive: true });
}
