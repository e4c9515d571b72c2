import { describe, expect, it } from "vitest";
import { flag, int, number } from "../../core/options.js";
import { choiceList, texts } from "./flag-kinds.js";
import { parseArguments } from "./parse-arguments.js";

const command = {
  options: {
    dim: int(undefined, { doc: "" }),
    set: texts({ value: "X=Y", doc: "" }),
    force: flag(false, { doc: "" }),
    minWeight: number(2, { min: 0, doc: "" }),
    task: choiceList(undefined, ["classify", "links"], { value: "NAME,…", doc: "" }),
  },
};
const parse = (...words: string[]) => {
  const { words: rest, flags, values } = parseArguments(command, words);
  return { words: rest, flags: Object.fromEntries(flags), values };
};

describe("parseArguments", () => {
  it("reads words, values, switches and lists in any order", () => {
    expect(parse("a", "--dim", "3", "b", "--force", "--set", "x=1", "--set=y=2", "-q")).toEqual({
      words: ["a", "b"],
      flags: { dim: ["3"], force: ["true"], set: ["x=1", "y=2"], quiet: ["true"] },
      values: { dim: 3, force: true, set: ["x=1", "y=2"], minWeight: 2, task: undefined },
    });
  });

  it("takes negative numbers as values and everything after -- as words", () => {
    expect(parse("--dim", "-3", "--", "--force")).toMatchObject({ words: ["--force"], flags: { dim: ["-3"] } });
  });

  it("refuses empty values, as of a variable that is not set", () => {
    expect(() => parse("--dim", "")).toThrow("--dim: the value is empty; expected N.");
    expect(() => parse("--dim=")).toThrow("--dim: the value is empty; expected N.");
  });

  it("refuses values that the schema does not accept", () => {
    expect(() => parse("--min-weight", "-1")).toThrow('--min-weight: found "-1"; expected number ≥ 0.');
    expect(() => parse("--task", "links,classfy")).toThrow('--task: unknown "classfy"; did you mean "classify"?');
    expect(() => parse("--task", "links,links")).toThrow(
      '--task: found "links,links"; expected some of classify, links',
    );
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
