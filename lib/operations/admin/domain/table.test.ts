import { expect, test } from "vitest";

import { renderResult } from "./table";

test("a result of any number of rows is a table", () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => ({ id: index, name: "a" }));
  const lines = renderResult({ rows }).split("\n");
  expect([lines[0], lines[1], lines[200_000]]).toEqual(["id      name", "0       a", "199999  a"]);
});
