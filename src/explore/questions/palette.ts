/**
 * Colours that stay apart for the colour-blind and have a contrast of at least 3:1 with the page in both themes.
 *
 * Categories: the eight hues of Okabe and Ito (jfly.uni-koeln.de/color), for the light theme darkened until the contrast is met and
 * no two are confused; then twelve more, each chosen as the colour farthest from those before it to normal, protan, deutan and
 * tritan eyes (Machado et al. 2009). Numbers: a ramp through the hues of viridis with steadily changing lightness, computed in OKLCH.
 */

export type Theme = "light" | "dark";
/** Red, green, blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Backgrounds on which colours are drawn: `--background` and `--surface` of the page. */
export const BACKGROUNDS: Readonly<Record<Theme, readonly Rgb[]>> = {
  light: [rgb("f7f7f5"), rgb("ffffff")],
  dark: [rgb("15171a"), rgb("1e2125")],
};

/** Colours of categories, the most frequent first. */
export const CATEGORY_COLORS: Readonly<Record<Theme, readonly Rgb[]>> = {
  light: colors(
    "0266a0 ac4c06 008d66 bf6d9b 3596ca 604103 999009 000000",
    "9600ff 871e5a 1e0069 7869d2 4b001e 0000c3 874b4b b469ff 4b1e87 c300a5 690000 4b1e4b",
  ),
  dark: colors(
    "0072b2 e69f00 009e73 cc79a7 56b4e9 d55e00 f0e442 f0f0f0",
    "a5d2a5 b41eff 00e1ff a5ffa5 8787f0 87b478 c33c3c d200c3 e1c369 ff78d2 b43c96 f0783c",
  ),
};

/** Of categories beyond the palette, and of nodes without a value. */
export const OTHER_COLOR: Readonly<Record<Theme, Rgb>> = { light: rgb("8c8c8c"), dark: rgb("7d7d7d") };

/** Of all nodes if no attribute colours them. */
export const PLAIN_COLOR: Readonly<Record<Theme, Rgb>> = { light: rgb("0266a0"), dark: rgb("56b4e9") };

/** Ends of the ramp in OKLCH: the small value is close to the background, the large one far from it. */
const RAMP = {
  light: { from: { lightness: 0.62, chroma: 0.15, hue: 150 }, to: { lightness: 0.22, chroma: 0.13, hue: 305 } },
  dark: { from: { lightness: 0.56, chroma: 0.16, hue: 295 }, to: { lightness: 0.95, chroma: 0.17, hue: 108 } },
} as const;

/** The colour of a category by its rank; grey beyond the palette. */
export function categoryColor(rank: number, theme: Theme): Rgb {
  return CATEGORY_COLORS[theme][rank] ?? OTHER_COLOR[theme];
}

/** The colour of a relation by its index in the scene. */
export function relationColor(relation: number, theme: Theme): Rgb {
  return categoryColor(relation, theme);
}

/** The colour of a facet by its place in the vector. */
export function facetColor(place: number, theme: Theme): Rgb {
  return categoryColor(place, theme);
}

/** The colour of a share from 0 (smallest value) to 1 (largest). */
export function rampColor(share: number, theme: Theme): Rgb {
  const { from, to } = RAMP[theme];
  const between = (a: number, b: number) => a + (b - a) * share;
  const lightness = between(from.lightness, to.lightness);
  const hue = (between(from.hue, to.hue) * Math.PI) / 180;
  // the chroma is reduced until the screen can show it
  for (let chroma = between(from.chroma, to.chroma); ; chroma = Math.max(0, chroma - 0.005)) {
    const linear = fromOklab(lightness, chroma * Math.cos(hue), chroma * Math.sin(hue));
    if (chroma > 0 && linear.some((value) => value < 0 || value > 1)) continue;
    const [r, g, b] = linear.map((value) => Math.round(255 * encode(Math.max(0, Math.min(1, value)))));
    return [r, g, b];
  }
}

/** Contrast of two colours as WCAG 2 defines it, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (high + 0.05) / (low + 0.05);
}

/** Relative luminance, 0 (black) to 1 (white). */
export function luminance([r, g, b]: Rgb): number {
  return 0.2126 * decode(r / 255) + 0.7152 * decode(g / 255) + 0.0722 * decode(b / 255);
}

/** The colour as CSS writes it. */
export function cssColor([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function colors(...hexes: readonly string[]): readonly Rgb[] {
  return hexes.join(" ").split(" ").map(rgb);
}

/** sRGB to linear light, both 0 to 1. */
export function decode(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encode(value: number): number {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}

/** OKLab (Ottosson 2020) to linear red, green, blue. */
function fromOklab(lightness: number, a: number, b: number): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
