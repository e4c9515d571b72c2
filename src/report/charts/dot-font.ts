/**
 * A font of 5 by 8 dots for pixel images. Each letter has five columns from left to right, each column two hexadecimal digits;
 * the lowest bit is the top dot. It has all printable ASCII characters; others become similar ASCII letters, or "?".
 */

const COLUMNS =
  "0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0005030000 001c224100 0041221c00 " +
  "2a1c7f1c2a 08083e0808 0080703000 0808080808 0060600000 2010080402 3e5149453e 00427f4000 4261514946 2141454b31 " +
  "1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e 0036360000 0080763600 0814224100 1414141414 " +
  "0041221408 0201510906 3e415d594e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a " +
  "7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e " +
  "7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f 6314081463 0708700807 6151494543 007f414100 " +
  "0204081020 0041417f00 0402010204 8080808080 0001020400 2054545478 7f48444438 3844444428 384444487f 3854545418 " +
  "087e090102 18a4a4a47c 7f08040478 00447d4000 4080847d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438 " +
  "fc24242418 18242424fc 7c08040408 4854545424 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 4c9090907c " +
  "4464544c44 0008364100 00007f0000 0041360800 0804081008";

/** Columns of dots by character, without blank columns at both sides. */
const GLYPHS = new Map<string, readonly number[]>(
  COLUMNS.split(" ").map((digits, i) => {
    const columns = [0, 2, 4, 6, 8].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
    while (columns.length > 1 && columns[0] === 0) columns.shift();
    while (columns.length > 1 && columns.at(-1) === 0) columns.pop();
    return [String.fromCharCode(0x20 + i), i === 0 ? [0, 0] : columns];
  }),
);
/** Replacements for characters that Unicode decomposition does not reduce to ASCII. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "Ae",
  ø: "o",
  Ø: "O",
  œ: "oe",
  ł: "l",
  Ł: "L",
  đ: "d",
  "–": "-",
  "—": "-",
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "…": "...",
  "·": ".",
  "×": "x",
};

/** The text with every character replaced by one of this font. */
export function toFontLetters(text: string): string {
  const plain = Array.from(text, (letter) => REPLACEMENTS[letter] ?? letter).join("");
  return plain
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^\u0020-\u007e]/gu, "?");
}

/** Whether this font can show every letter of the text, at least by a similar letter. */
export function canShow(text: string): boolean {
  return !toFontLetters(text.replaceAll("?", "")).includes("?");
}

/** Columns of dots of a text, with one blank column between letters. */
export function dotColumns(text: string): number[] {
  return Array.from(toFontLetters(text)).flatMap((letter, i) => [
    ...(i === 0 ? [] : [0]),
    ...(GLYPHS.get(letter) ?? []),
  ]);
}
