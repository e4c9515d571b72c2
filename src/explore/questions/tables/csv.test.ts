import { expect, test } from "vitest";
import { csvText } from "./csv.js";

test("quotes, commas and line ends are quoted", () => {
  expect(
    csvText([
      ["id", 'a "b"'],
      ["x,y", "two\nlines"],
      ["", undefined],
    ]),
  ).toBe('id,"a ""b"""\r\n"x,y","two\nlines"\r\n,\r\n');
});

test("formulas are made harmless, numbers are left alone", () => {
  expect(csvText([["=1+1", "+cmd", "-x", "@f", "\tx", "-1.5", "+2e3", -4, Number.NaN, 0]])).toBe(
    "'=1+1,'+cmd,'-x,'@f,'\tx,-1.5,+2e3,-4,,0\r\n",
  );
});
