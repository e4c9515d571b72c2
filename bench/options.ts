/** Options of a bench, `--name value`. */

const given = process.argv.slice(2);

export function textOption(name: string, fallback: string): string {
  const at = given.indexOf(`--${name}`);
  return at < 0 ? fallback : given[at + 1];
}

export function numberOption(name: string, fallback: number): number {
  return Number(textOption(name, String(fallback)));
}
