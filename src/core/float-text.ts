/**
 * The shortest decimal text of a 32-bit float that reads back as the same bits. Nine digits always suffice (IEEE 754 binary32);
 * most values need eight or nine.
 */

/** Powers of ten that are exact as doubles: dividing an integer by them rounds once, as reading its text does. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/** Decimal text of a finite 32-bit float. */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-12 && magnitude < 1e7) {
    let places = 7 - Math.floor(Math.log10(magnitude)); // eight digits
    let best = roundTo(value, places);
    if (Math.fround(best) === value) {
      for (; places > 0; places--) {
        const shorter = roundTo(value, places - 1);
        if (Math.fround(shorter) !== value) break;
        best = shorter;
      }
      return String(best);
    }
    best = roundTo(value, places + 1);
    if (Math.fround(best) === value) return String(best);
  }
  return floatTextByTrial(value);
}

function roundTo(value: number, places: number): number {
  return Math.round(value * EXACT_POWERS[places]) / EXACT_POWERS[places];
}

/** Like floatText, but slower: tries one to nine digits in turn. Works for every magnitude. */
export function floatTextByTrial(value: number): string {
  let digits = 1;
  while (digits < 9 && Math.fround(Number(value.toPrecision(digits))) !== value) digits++;
  return String(Number(value.toPrecision(digits)));
}
