import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { keepClosuresYoung } from "./young-closures.mjs";

const SOURCE = new URL("../../node_modules/postgres/src/query.js", import.meta.url);
/** A function that stands where it is assigned to a property. */
const ASSIGNED = /this\.\w+ = (\w+|\([^)]*\)) =>/g;

test("no query of the installed driver assigns a function to a property where it stands, save a cursor's", async () => {
  const source = await readFile(SOURCE, "utf8");
  expect(source.match(ASSIGNED)).toHaveLength(5);
  expect(keepClosuresYoung(source).match(ASSIGNED)).toEqual(["this.cursorFn = value =>", "this.resolve = () =>"]);
});

test("a query still ends as inactive, with its value and with its error", () => {
  const text =
    "this.resolve = x => (this.active = false, resolve(x));this.reject = x => (this.active = false, reject(x));";
  const changed = keepClosuresYoung(`${text}${text.slice(text.indexOf("this.reject"))}`);
  type Query = { active: boolean; resolve: (value: unknown) => void; reject: (error: unknown) => void };
  const ended: unknown[] = [];
  const end = (value: unknown) => {
    ended.push(value);
  };
  const query: Query = { active: true, resolve: end, reject: end };
  // The third is the cursor's, in a scope of its own there.
  const body = changed.slice(0, changed.lastIndexOf("const rejectQuery"));
  // oxlint-disable-next-line typescript/no-implied-eval -- what the build makes is run
  (new Function("resolve", "reject", body) as (this: Query, resolve: typeof end, reject: typeof end) => void).call(
    query,
    end,
    end,
  );
  query.resolve("row");
  expect([query.active, ended]).toEqual([false, ["row"]]);
  query.active = true;
  query.reject("error");
  expect([query.active, ended]).toEqual([false, ["row", "error"]]);
});

test("a driver whose queries are written in another way stops the build", () => {
  expect(() => keepClosuresYoung("this.resolve = resolve")).toThrow("query.js of postgres assigns 0 of 3 functions");
});
