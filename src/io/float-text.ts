/** The shortest decimal text that reads back as the same 32-bit float. */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  // Nine digits always suffice (IEEE 754 binary32); most values need eight or nine.
  let digits = 8;
  if (readsBack(value, 8)) while (digits > 1 && readsBack(value, digits - 1)) digits--;
  else digits = 9;
  return String(Number(value.toPrecision(digits)));
}

function readsBack(value: number, digits: number): boolean {
  return Math.fround(Number(value.toPrecision(digits))) === value;
}
