import { expect, test } from "vitest";
import { choiceByName, choicePerName } from "./options.js";

const values = ["auto", "on", "off"];
const option = choiceByName("auto", values, { doc: "", what: "NAME" });
const names = ["letters", "work", "a:b,c"];
const read = (text: string) =>
  choicePerName(option, text, names, { values, where: "option weights", what: "relation" });

test.each([
  ["auto", ["auto", "auto", "auto"]],
  ["off", ["off", "off", "off"]],
  ["letters:on", ["on", "auto", "auto"]],
  ["letters:on, work:off", ["on", "off", "auto"]],
  ["off,letters:on", ["on", "off", "off"]],
  ["work:off,a:b,c:on", ["auto", "off", "on"]],
])("%s", (text, expected) => {
  expect(option.read(text)).toBe(text);
  expect(read(text)).toEqual(expected);
});

test("what is no choice is refused", () => {
  for (const text of ["", "maybe", "letters", "letters:", ":on", "letters:maybe", "on,off", 1, undefined]) {
    expect(option.read(text)).toBeUndefined();
  }
  expect(() => read("leters:on")).toThrow('option weights: there is no relation "leters"; did you mean "letters"?');
  expect(() => read("work:on,work:off")).toThrow('option weights: relation "work" is given twice; expected once.');
});
