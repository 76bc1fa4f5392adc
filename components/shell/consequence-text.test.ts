import { expect, test } from "vitest";

import { consequenceText as text } from "./consequence-text";

test("what an act ends is said with its number, and what ends nothing says so", () => {
  expect(text.webApp({ visits: 1234, isMore: false }, "https://a.example")[0]).toBe(
    "1,234 visits came from https://a.example in the last hour. Such visits are refused from then on.",
  );
  expect(text.webApp({ visits: 0, isMore: false }, undefined)).toEqual(["No visit came from it in the last hour."]);
  expect(text.retention({ visits: 200_000, isMore: true })[0]).toMatch(/^More than 200,000 visits and their Reports/);
  expect([text.retention({ visits: 1, isMore: false }), text.device(1), text.device(2)]).toEqual([
    ["1 visit and its Report are deleted for good."],
    ["1 visit and its Report are deleted for good."],
    ["2 visits and their Reports are deleted for good."],
  ]);
  expect(text.retention({ visits: 0, isMore: false })[0]).toContain("nothing is deleted now");
  expect(text.key({ calls: 1, since: new Date("2026-11-23T09:00:00Z") })[0]).toMatch(
    /^It answered 1 call since 09:00 UTC/,
  );
  expect(text.member({ clients: 0, cases: { listed: 0, isMore: false }, keys: 0 })).toEqual([]);
  expect(text.member({ clients: 2, cases: { listed: 1, isMore: false }, keys: 1 })).toHaveLength(3);
  expect(text.member({ clients: 0, cases: { listed: 50, isMore: true }, keys: 0 })[0]).toMatch(
    /^More than 50 open cases stay assigned/,
  );
  expect(text.view([])).toEqual([]);
  expect(text.view(["Robots", "Sign-up"])[0]).toContain("The alerts Robots, Sign-up watch this view");
  expect(text.account({ visits: 0, devices: 0 })[0]).toContain("Nothing is stored under this reference");
});
