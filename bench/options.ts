/** Reads options of a bench, `--name value`. */

const words = process.argv.slice(2);

export function textOption(name: string, fallback: string): string {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? fallback : words[at + 1];
}

export function numberOption(name: string, fallback: number): number {
  return Number(textOption(name, String(fallback)));
}
