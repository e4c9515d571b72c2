import { describe, expect, it } from "vitest";
import { parseArguments } from "./parse-arguments.js";

const command = {
  options: [
    { name: "dim", value: "N", doc: "" },
    { name: "set", value: "X=Y", repeatable: true, doc: "" },
    { name: "force", doc: "" },
  ],
};
const parse = (...words: string[]) => {
  const { words: rest, options } = parseArguments(command, words);
  return { words: rest, options: Object.fromEntries(options) };
};

describe("parseArguments", () => {
  it("reads words, values, switches and lists in any order", () => {
    expect(parse("a", "--dim", "3", "b", "--force", "--set", "x=1", "--set=y=2", "-q")).toEqual({
      words: ["a", "b"],
      options: { dim: ["3"], force: ["true"], set: ["x=1", "y=2"], quiet: ["true"] },
    });
  });

  it("takes negative numbers as values and everything after -- as words", () => {
    expect(parse("--dim", "-3", "--", "--force")).toEqual({ words: ["--force"], options: { dim: ["-3"] } });
  });

  it("refuses empty values, as of a variable that is not set", () => {
    expect(() => parse("--dim", "")).toThrow("--dim: the value is empty; expected N.");
    expect(() => parse("--dim=")).toThrow("--dim: the value is empty; expected N.");
  });

  it("refuses what it does not know", () => {
    expect(() => parse("--dimm", "3")).toThrow('unknown option "--dimm"; did you mean "--dim"?');
    expect(() => parse("--dim", "1", "--dim", "2")).toThrow("--dim: given twice (1, 2); expected once.");
    expect(() => parse("--force=yes")).toThrow('--force: takes no value, found "yes".');
    expect(() => parse("--dim", "--force")).toThrow("--dim: no value before --force; expected N.");
  });
});

it("a file whose name begins with a dash is not taken for a mistyped option", () => {
  expect(() => parse("-dash.csv")).toThrow('unknown option "-dash.csv". If it is a file, write ./-dash.csv');
  expect(() => parse("-dim")).toThrow(/^unknown option "-dim"[;] (did you mean|expected one of)/);
});
