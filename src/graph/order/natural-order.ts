/** Orders of strings that are the same on every machine, whatever its locale. */

/** By UTF-16 code units, as `<` compares. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares runs of decimal digits as numbers and the rest by code units: t2 < t10. Equal names are ordered by code units. */
export function compareNatural(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (isDigit(a, i) && isDigit(b, j)) {
      const iEnd = endOfDigits(a, i);
      const jEnd = endOfDigits(b, j);
      const left = a.slice(i, iEnd).replace(/^0+/, "");
      const right = b.slice(j, jEnd).replace(/^0+/, "");
      const order = left.length - right.length || compareCodeUnits(left, right);
      if (order !== 0) return order;
      i = iEnd;
      j = jEnd;
    } else {
      const order = a.charCodeAt(i) - b.charCodeAt(j);
      if (order !== 0) return order;
      i++;
      j++;
    }
  }
  return a.length - i - (b.length - j) || compareCodeUnits(a, b);
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text, end)) end++;
  return end;
}
