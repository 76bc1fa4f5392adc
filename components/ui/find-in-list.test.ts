import { expect, test } from "vitest";

import { chosenValue, findInList, MAX_SHOWN } from "./find-in-list";

const rows = Array.from({ length: 250 }, (_, index) => `Member ${index}`);
const itself = (row: string) => [row];

test("without a search the first rows are shown, with the number of all", () => {
  const found = findInList(rows, undefined, itself);
  expect(found).toEqual({ rows: rows.slice(0, MAX_SHOWN), text: "", matching: 250, total: 250 });
  expect(findInList(rows, "  ", itself)).toEqual(found);
});

test("a search finds rows beyond the first ones, whatever the case and Unicode form", () => {
  expect(findInList(rows, " member 249 ", itself)).toEqual({
    rows: ["Member 249"],
    text: "member 249",
    matching: 1,
    total: 250,
  });
  expect(findInList(["Cafe\u0301 Müller", "other"], ["CAFÉ", "x"], itself).rows).toEqual(["Cafe\u0301 Müller"]);
  expect(findInList(rows, "nobody", itself)).toMatchObject({ rows: [], matching: 0, total: 250 });
});

test("a typed text stands for the choice that it names, or that alone contains it", () => {
  const choices = [
    { value: "usr_1", text: "ada@example.com" },
    { value: "usr_2", text: "bada@example.com" },
    { value: "usr_3", text: "zoe@example.com" },
  ];
  const chosen = (typed: string) => chosenValue(choices, typed);
  expect(["usr_2", "ADA@example.com", "zoe", ""].map(chosen)).toEqual(["usr_2", "usr_1", "usr_3", ""]);
  expect(["ada", "nobody"].map(chosen)).toEqual(["ada", "nobody"]);
});
