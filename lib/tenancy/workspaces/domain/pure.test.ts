import fc from "fast-check";
import { expect, test } from "vitest";

import { parseEmail } from "./email";
import { parseName } from "./name";
import { PERMISSIONS, ROLES, roleHas } from "./permissions";
import { PLAN_LIMITS } from "./plans";

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["a+b.c@sub.example.co", "a+b.c@sub.example.co"],
  ["admin@localhost", "admin@localhost"],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
])("%s is normalised to %s", (text, email) => {
  expect(parseEmail(text)).toBe(email);
});

test.each([
  "",
  "a",
  "@example.com",
  "a@",
  "a@@example.com",
  "a@b@example.com",
  "a b@example.com",
  " a@example.com",
  "a@example.com ",
  "a@example.com\n",
  ".a@example.com",
  "a.@example.com",
  "a..b@example.com",
  "a@-example.com",
  "a@example-.com",
  "a@example..com",
  "a@.com",
  "a@example.com.",
  "a,b@example.com",
  "Ada <a@example.com>",
  '"a"@example.com',
  "a@[127.0.0.1]",
  "\u0430da@example.com",
  "a\uff20example.com",
  "a@ex\u0430mple.com",
  "\u212a@example.com",
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(64)}.com`,
  `a@${"b.".repeat(130)}com`,
])("%j is not a valid address", (text) => {
  expect(parseEmail(text)).toBeUndefined();
});

test("an address in its stored form is accepted again", () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string()), (text) => {
      const email = parseEmail(text);
      if (email !== undefined) expect(parseEmail(email)).toBe(email);
    }),
  );
});

test.each([
  ["  Acme  ", "Acme"],
  ["Bücher & Söhne", "Bücher & Söhne"],
  ["x".repeat(80), "x".repeat(80)],
  ["", undefined],
  [" \t ", undefined],
  ["a\nb", undefined],
  ["a\u202eb", undefined],
  ["\u200b", undefined],
  ["\u00ad\u3164 \u2060", undefined],
  ["👩\u200d💻", "👩\u200d💻"],
  ["نامه\u200cها", "نامه\u200cها"],
  ["1\ufe0f\u20e3 Shop \u2764\ufe0f", "1\ufe0f\u20e3 Shop \u2764\ufe0f"],
  [
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
  ],
  ["Ac\u200bme", undefined],
  ["Ac\u200dme", undefined],
  ["Ac\ufe0fme", undefined],
  ["Ac\u2060me\ufeff!", undefined],
  ["Ac\u00adme", undefined],
  ["Acme\u061c!", undefined],
  ["Acme\u{e0049}\u{e0067}", undefined],
  ["x".repeat(81), undefined],
])("the name %j is kept as %j", (text, name) => {
  expect(parseName(text)).toBe(name);
});

test("each role has all permissions of the roles below it", () => {
  for (const permission of Object.keys(PERMISSIONS) as (keyof typeof PERMISSIONS)[]) {
    const held = ROLES.map((role) => roleHas(role, permission));
    expect(held).toEqual([...held].sort((first, second) => Number(second) - Number(first)));
  }
});

test("plans have the limits of the published table", () => {
  expect(PLAN_LIMITS).toEqual({
    trial: { requestsPerSecond: 5, reportUnits: 100, unitPeriod: "total", historyDays: 0, hasAccountMap: false },
    lite: { requestsPerSecond: 10, reportUnits: 20_000, unitPeriod: "month", historyDays: 0, hasAccountMap: false },
    pro: { requestsPerSecond: 50, reportUnits: 500_000, unitPeriod: "month", historyDays: 90, hasAccountMap: true },
    enterprise: {
      requestsPerSecond: 200,
      reportUnits: null,
      unitPeriod: "month",
      historyDays: 365,
      hasAccountMap: true,
    },
  });
});
