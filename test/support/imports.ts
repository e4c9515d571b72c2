/**
 * Who imports whom, from the text of the sources alone.
 *
 * A file belongs to the part named by its first folder; files directly under the root belong to the part "surface".
 * Type-only imports count for the boundaries, since they tie parts together as well, but not for cycles and not for
 * packages, since nothing of them is left at run time.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";

export interface Import {
  /** Path of the importing file from the root, with forward slashes. */
  readonly from: string;
  /** Path of the imported file from the root, or the specifier of a package. */
  readonly to: string;
  readonly kind: "static" | "dynamic" | "type";
  readonly local: boolean;
}

export interface Rules {
  /** For each part the other parts that it may import. */
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  /** Parts without packages at run time and without imports of `node:` modules. */
  readonly pure: readonly string[];
  /** Pure parts that may import packages that also run in a browser, dynamically: they are loaded when first used. */
  readonly dynamicPackages: readonly string[];
  /** Pure parts that are bundled with their packages into a page: they may import packages that run in a browser. */
  readonly bundled: readonly string[];
}

const PATTERN =
  /^[ \t]*(?:import|export)(?<type>\s+type(?=\s))?\s(?:[\w$*\s{},]*?\sfrom\s*)?"(?<path>[^"\n]+)"|\bimport\(\s*"(?<dynamic>[^"\n]+)"\s*\)/gm;

/** Source files under `root`: TypeScript, without tests, their helpers (`test-*.ts`) and generated files. */
export function sourceFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts") && !path.endsWith(".test.ts"))
    .filter((path) => !/(^|\/)(generated\/|test-[^/]*$|dispatch\.ts$)/.test(path))
    .sort();
}

/** All imports of one file. */
export function importsOf(from: string, source: string): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^[ \t]*\/\/.*$/gm, "");
  return [...code.matchAll(PATTERN)].map(({ groups }): Import => {
    const specifier = groups?.path ?? groups?.dynamic ?? "";
    const local = specifier.startsWith(".");
    // A query tells the bundler how to import, as in worker.ts?worker.
    const path = local
      ? normalize(join(dirname(from), specifier.replace(/\?.*$/, "")))
          .split(sep)
          .join("/")
      : specifier;
    const kind = groups?.dynamic !== undefined ? "dynamic" : groups?.type !== undefined ? "type" : "static";
    return { from, to: local ? path.replace(/\.js$/, ".ts") : path, kind, local };
  });
}

export function readImports(root: string, skip: (path: string) => boolean = () => false): Import[] {
  return sourceFiles(root)
    .filter((path) => !skip(path))
    .flatMap((path) => importsOf(path, readFileSync(join(root, path), "utf8")));
}

function partOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "surface";
}

/** Every broken rule, one line each. */
export function brokenRules(imports: readonly Import[], rules: Rules): string[] {
  const broken: string[] = [];
  for (const { from, to, kind, local } of imports) {
    const part = partOf(from);
    if (local) {
      const target = partOf(to);
      const allowed = rules.allowed[part];
      if (allowed === undefined) broken.push(`${from}: the part "${part}" has no rule`);
      else if (target !== part && !allowed.includes(target)) {
        broken.push(`${from}: imports ${to}; ${part} may import ${allowed.join(", ") || "nothing"}`);
      }
    } else if (rules.pure.includes(part) && kind !== "type") {
      const isPossible = rules.bundled.includes(part) || (kind === "dynamic" && rules.dynamicPackages.includes(part));
      const allowed = isPossible && !to.startsWith("node:");
      if (!allowed) broken.push(`${from}: imports ${to}; ${part} runs without packages and outside Node`);
    }
  }
  return [...new Set(broken)];
}

/** Cycles among files, each as `a → b → a`, starting from its first file in order; by default those at run time. */
export function cycles(imports: readonly Import[], kinds: readonly Import["kind"][] = ["static"]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, kind, local } of imports) {
    if (local && kinds.includes(kind)) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const found = new Set<string>();
  const finished = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      const loop = path.slice(start);
      const first = loop.indexOf([...loop].sort()[0]);
      const turned = [...loop.slice(first), ...loop.slice(0, first)];
      found.add([...turned, turned[0]].join(" → "));
      return;
    }
    if (finished.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...path, file]);
    finished.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return [...found].sort();
}

/** Packages imported at run time, by name: `@scope/name` or `name`, without `node:` modules. */
export function packagesOf(imports: readonly Import[]): string[] {
  const names = imports
    .filter(({ local, kind, to }) => !local && kind !== "type" && !to.startsWith("node:"))
    .map(({ to }) =>
      to
        .split("/")
        .slice(0, to.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  return [...new Set(names)].sort();
}
