import { expect, test } from "vitest";

import { monthName, readUsageQuery, shiftMonth, usageHref, usageRange } from "./usage-query";

const now = new Date("2026-11-21T22:00:00Z");

test("months step across year boundaries", () => {
  expect([shiftMonth("2026-12", 1), shiftMonth("2026-01", -1), shiftMonth("2026-11", 0)]).toEqual([
    "2027-01",
    "2025-12",
    "2026-11",
  ]);
  expect(monthName("2026-11")).toBe("November 2026");
});

test("a past month is whole, the current one ends today", () => {
  const query = (month: string) => readUsageQuery({ month }, now);
  expect(usageRange(query("2024-02"), now)).toEqual({ from: "2024-02-01", to: "2024-02-29" });
  expect(usageRange(query("2026-11"), now)).toEqual({ from: "2026-11-01", to: "2026-11-21" });
});

test.each(["2027-01", "2026-13", "1999-01", "x", "2026-1"])(
  "%s is not a past month: the current one is shown",
  (month) => {
    expect(readUsageQuery({ month }, now).month).toBe("2026-11");
  },
);

test("a query survives a round trip through the address, and invalid ids are dropped", () => {
  const query = { month: "2026-10", webAppId: `app_${"a".repeat(32)}`, keyId: `key_${"b".repeat(32)}` };
  const params = Object.fromEntries(new URL(usageHref("http://x/usage", query)).searchParams);
  expect(readUsageQuery(params, now)).toEqual(query);
  expect(readUsageQuery({ web_app: "app_1", key: ["key_1"] }, now)).toMatchObject({
    webAppId: undefined,
    keyId: undefined,
  });
});
