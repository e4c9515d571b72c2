import { expect, test } from "vitest";
import { canShow, dotColumns, toFontLetters } from "./dot-font.js";
import { pointMapPixels } from "./point-map-pixels.js";

function pixel({ width, data }: ReturnType<typeof pointMapPixels>, x: number, y: number): number[] {
  return [...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)];
}

test("points, legend and title are drawn in the colours of light pages", () => {
  const points = [
    { x: 0, y: 0, label: "a" },
    { x: 1, y: 0, label: "a" },
    { x: 1, y: 1, label: "b" },
    { x: 0.5, y: 0.5 },
  ];
  const picture = pointMapPixels(points, { title: "map" });
  expect(picture.width).toBe(1920);
  expect(picture.data).toHaveLength(3 * picture.width * picture.height);
  // The dots of the legend: labels by frequency, then the points without a label.
  expect(pixel(picture, 2 * 22, 2 * 50)).toEqual([0x00, 0x72, 0xb2]);
  expect(pixel(picture, 2 * (22 + 170), 2 * 50)).toEqual([0xd5, 0x5e, 0x00]);
  expect(pixel(picture, 2 * (22 + 340), 2 * 50)).toEqual([0xc3, 0xc8, 0xce]);
  // The first stroke of the m in the title.
  expect(pixel(picture, 33, 40)).toEqual([0x1f, 0x23, 0x28]);
  const blue = Array.from({ length: picture.width * picture.height }, (_, i) => i).filter(
    (i) => picture.data[3 * i] < 90 && picture.data[3 * i + 2] > 170,
  );
  // One dot of the legend and two points of radius 10 pixels each.
  expect(blue.length).toBeGreaterThan(3 * 290);
  expect(blue.length).toBeLessThan(3 * 340);
});

test("without points, or with points that are not finite, there is still a picture", () => {
  expect(pointMapPixels([], { title: "" }).data.every((value) => value === 255)).toBe(true);
  expect(pointMapPixels([{ x: Number.NaN, y: 1 }], { title: "t" }).height).toBeGreaterThan(0);
});

test("letters with marks lose the marks, unknown letters become a question mark", () => {
  expect([toFontLetters("Žluťoučký Straße"), toFontLetters("日本")]).toEqual(["Zlutoucky Strasse", "??"]);
  expect([canShow("Ørsted?"), canShow("日本")]).toEqual([true, false]);
  // l is three columns wide, one blank follows, then the five of T
  expect(dotColumns("lT")).toEqual([0x41, 0x7f, 0x40, 0, 1, 1, 0x7f, 1, 1]);
});
