import { expect, test } from "vitest";
import { choice, choiceByName, choicePerName, int, number, requireOption } from "./options.js";

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

test("invalid choices are refused", () => {
  for (const text of ["", "maybe", "letters", "letters:", ":on", "letters:maybe", "on,off", 1, undefined]) {
    expect(option.read(text)).toBeUndefined();
  }
  expect(() => read("leters:on")).toThrow('option weights: there is no relation "leters"; did you mean "letters"?');
  expect(() => read("work:on,work:off")).toThrow('option weights: relation "work" is given twice; expected once.');
});

test("a program passes values of the option's type and within its bounds", () => {
  const count = int(10, { min: 2, max: 20, doc: "" });
  requireOption(count, 2, "task: count");
  requireOption(number(0.1, { above: 0, below: 1, doc: "" }), 0.5, "task: share");
  expect(() => requireOption(count, 1, "task: count")).toThrow("task: count is 1; expected integer from 2 to 20.");
  expect(() => requireOption(count, 2.5, "task: count")).toThrow("task: count is 2.5;");
  // text is for command lines only
  const text: unknown = "3";
  expect(() => requireOption(count, text as number, "task: count")).toThrow('task: count is "3";');
  const method = choice("exact", ["exact", "approximate"], { doc: "" });
  expect(() => requireOption(method, "exct" as "exact", "task: method")).toThrow(
    'task: method is "exct"; did you mean "exact"?',
  );
});
