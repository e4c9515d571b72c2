/**
 * Width of text in terminal cells. If terminals differ, the larger width is used, so that a line cut to a width never wraps:
 * each emoji of a joined sequence counts, and a character in emoji style counts two.
 */

/** Colour codes of this program; they take no cell. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour
const COLOUR = /\u001b\[[\d;]*m/g;
const ASCII = /^[\u0020-\u007e]*$/;
const NO_CELL = /[\p{Mark}\p{Format}]/u;
const SOFT_HYPHEN = 0xad;
const EMOJI_STYLE = 0xfe0f;
const TWO_CELLS = /\p{Emoji_Presentation}/u;
const REGIONAL_INDICATOR = /\p{Regional_Indicator}/u;
/** First and last code points of East Asian wide and full-width characters. */
const WIDE_RANGES = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
] as const;

/** Number of cells of a text: wide East Asian characters and emoji take two, combining marks and colours none. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  let last = 0;
  for (const character of text.replace(COLOUR, "")) {
    const code = character.codePointAt(0) ?? 0;
    const cells = code === EMOJI_STYLE && last === 1 ? 1 : cellsOf(character, code);
    width += cells;
    if (cells > 0) last = cells;
  }
  return width;
}

function cellsOf(character: string, code: number): number {
  if (code < 0x7f || code === SOFT_HYPHEN) return 1;
  if (NO_CELL.test(character)) return 0;
  if (WIDE_RANGES.some(([first, last]) => code >= first && code <= last)) return 2;
  return TWO_CELLS.test(character) && !REGIONAL_INDICATOR.test(character) ? 2 : 1;
}

/** The text without line breaks, tabs and other control characters: each becomes one visible cell. */
export function oneLine(text: string, ascii = false): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
  const shown = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ascii ? "?" : "\ufffd");
  return ascii ? shown.replace(/[^\u0020-\u007e]/gu, "?") : shown;
}

/** The text without colours, cut to `width` cells; an ellipsis ends a cut text. */
export function clip(text: string, width: number, ascii = false): string {
  if (displayWidth(text) <= width) return text;
  if (!(width >= 1)) return "";
  return head(text.replace(COLOUR, ""), width - 1) + (ascii ? "~" : "…");
}

/** The text cut in its middle, because names and paths often differ only at their end. */
export function clipMiddle(text: string, width: number, ascii = false): string {
  if (displayWidth(text) <= width) return text;
  if (!(width >= 5)) return clip(text, width, ascii);
  const plain = text.replace(COLOUR, "");
  const start = head(plain, Math.ceil((width - 1) / 2));
  const backwards = graphemes(plain).reverse();
  const end = head(backwards, width - 1 - displayWidth(start)).reverse();
  return start + (ascii ? "~" : "…") + end.join("");
}

/** The longest start of at most `width` cells. */
function head(text: string, width: number): string;
function head(text: string[], width: number): string[];
function head(text: string | string[], width: number): string | string[] {
  const parts = typeof text === "string" ? graphemes(text) : text;
  let taken = 0;
  let count = 0;
  for (const part of parts) {
    taken += displayWidth(part);
    if (taken > width) break;
    count++;
  }
  const kept = parts.slice(0, count);
  return typeof text === "string" ? kept.join("") : kept;
}

let segmenter: Intl.Segmenter | undefined;

/** User-perceived characters: a letter and its marks stay together. */
function graphemes(text: string): string[] {
  if (ASCII.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Lines of at most `width` cells, broken at spaces; a longer word stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Largest indent of the further lines of a labelled line ("graph    1,234 nodes …"), in cells. Not tuned. */
const MAX_LABEL = 14;

/** A printed line as lines of at most `width` cells; further lines are indented like its text. */
export function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const spaces = /^ */.exec(line)?.[0] ?? "";
  const label = /^ *\S+ {2,}/.exec(line)?.[0] ?? spaces;
  const start = displayWidth(label) <= Math.min(MAX_LABEL, width / 2) ? label : spaces;
  const indent = displayWidth(start);
  return wrap(line.slice(start.length), width - indent).map((text, i) => (i === 0 ? start : " ".repeat(indent)) + text);
}
