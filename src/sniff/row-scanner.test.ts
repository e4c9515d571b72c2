import { expect, test } from "vitest";
import { RowScanner } from "./row-scanner.js";

function scan(text: string, delimiter: string, skipLines = 0, piece = text.length) {
  const scanner = new RowScanner({ delimiter, skipLines });
  const rows = [];
  for (let at = 0; at < text.length; at += piece) rows.push(...scanner.push(text.slice(at, at + piece)));
  return [...rows, ...scanner.end()];
}

test("rows have the same lines and fields for any size of the pieces of text", () => {
  const text = 'skip"me\r\na,"b ""c"" \r\n\u{1F600},"\r\n\r\n  \r\nd"e,"",f\r\n"x"y,z\n"open,\n';
  const expected = [
    { line: 2, fields: ["a", 'b "c" \r\n\u{1F600},'] },
    { line: 5, fields: ["  "] },
    { line: 6, fields: ['d"e', "", "f"] },
    { line: 7, fields: ["xy", "z"], firstQuoted: true, fault: "text follows a closing quote" },
    { line: 8, fields: ["open,\n"], firstQuoted: true, fault: "a quote is opened and never closed" },
  ];
  for (const piece of [1, 2, 3, 7, text.length]) expect(scan(text, ",", 1, piece)).toEqual(expected);
});

test("a quoted empty field is a row, and so is a last line without a line break", () => {
  expect(scan('""\n\nlast', ",")).toEqual([
    { line: 1, fields: [""], firstQuoted: true },
    { line: 3, fields: ["last"] },
  ]);
});

test.each(["|", "^", "-", "]", "\\", ";"])("the delimiter %s is not taken for a regular expression", (delimiter) => {
  expect(scan(`a${delimiter}b`, delimiter)).toEqual([{ line: 1, fields: ["a", "b"] }]);
});

test("with blanks as delimiter, runs of blanks separate fields and quotation marks are kept", () => {
  expect(scan(' 1  "2\t3 \r4 5\r\n \n6', "spaces")).toEqual([
    { line: 1, fields: ["1", '"2', "3"] },
    { line: 2, fields: ["4", "5"] },
    { line: 4, fields: ["6"] },
  ]);
});
