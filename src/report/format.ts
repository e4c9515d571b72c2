/** Numbers as short text with units. */

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Bytes in powers of 1000: `1.2 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toPrecision(2)} ${BYTE_UNITS[unit]}`;
}

/** A duration: `3.4 ms`, `12 s`, `4 min 5 s`, `2 h 10 min`. */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  if (seconds === 0) return "0 s";
  if (seconds < 0.9995) return `${seconds < 0.00995 ? (seconds * 1000).toPrecision(2) : Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A whole number in groups of three digits: `1,234,567`. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 node`, `2 nodes`. */
export function plural(count: number, singular: string, several = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : several}`;
}

/** A number with three significant digits, without trailing zeros. */
export function formatNumber(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e6 ? String(Number(value.toPrecision(3))) : value.toExponential(1);
}

/** Size from which on a loss has an exponent, because its digits would fill the line. */
const LARGE_LOSS = 1e6;

/** A loss with four decimals, or four significant digits and an exponent if it is large: `0.6931`, `1.157e+30`. */
export function formatLoss(loss: number): string {
  return Math.abs(loss) < LARGE_LOSS ? loss.toFixed(4) : loss.toExponential(3);
}
