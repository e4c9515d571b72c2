import { expect, test } from "vitest";
import { grayNote } from "./sections.js";

test("more relations than colours are announced with the number of grey ones", () => {
  expect(grayNote(20)).toBeUndefined();
  expect(grayNote(27)).toContain("only 20 colours that everybody can distinguish: the other relations (7) are grey");
});
