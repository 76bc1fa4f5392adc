import { expect, test } from "vitest";

import { parseLabelFile } from "./parse-label-file";

const HEAD = "account_ref,label";

test.each([
  ['a"b,fraud', "a quote within a cell"],
  ['"a"b,fraud', "text behind a quoted cell"],
  ['a,"fra"ud', "text behind a quoted label"],
  ['"a,fraud', "a quote that never ends"],
])("%s is reported and labels nobody: %s", (line) => {
  const expected = { rows: [], problems: [{ line: 2, problem: expect.stringContaining("quotation mark") as string }] };
  expect(parseLabelFile(`${HEAD}\n${line}`)).toEqual(expected);
});

test.each([
  ['"a""b, c",fraud', 'a"b, c'],
  [' "a" , "fraud" ', "a"],
  ["a , fraud", "a"],
])("%j is read", (line, accountRef) => {
  expect(parseLabelFile(`${HEAD}\n${line}`)).toMatchObject({ rows: [{ subject: { accountRef }, label: "fraud" }] });
});

test.each([
  ["a", '"'],
  ['"', "x"],
  [" ", '"'],
])("a long line of %j is read in no time", (character, end) => {
  const startedAt = performance.now();
  parseLabelFile(`${HEAD}\n${character.repeat(900_000)}${end}`);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test("a file with as many columns and rows as fit is read in no time", () => {
  const startedAt = performance.now();
  const file = parseLabelFile(`${",".repeat(880_000)}${HEAD}\n${"x\n".repeat(4_000)}`);
  expect(file).toMatchObject({ rows: [], problems: expect.objectContaining({ length: 4_000 }) as object });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test("of two columns with the same name, the first counts", () => {
  const file = parseLabelFile(`${HEAD},label\na,fraud,none`);
  expect(file).toMatchObject({ rows: [{ subject: { accountRef: "a" }, label: "fraud" }] });
});
