/** Values of a query that no page knows: names of JavaScript's own, days outside the calendar, numbers beyond any type. */
export const HOSTILE_VALUES = [
  "__proto__",
  "constructor",
  "toString",
  "0000-01-01",
  "9999-12-31",
  "+010000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "2026-02-30",
  "9999-99-99T99:99:99+00~00000000-0000-0000-0000-000000000000",
  "2026-02-30T00:00:00+00~dev_00000000000000000000000000000000",
  "99999999999999999999",
  "4294967296",
  "9999999999",
  "-1",
  "1e400",
  "NaN",
  "\\x",
  "//evil.example",
  "/.//evil.example",
  "%",
  "%00",
  "\u{1f4a9}",
  "\u202e",
  "x".repeat(5_000),
  "'; drop table users; --",
];

/** Parameters of the pages, all of them at once for each value. */
export const PARAMETERS = [
  ...["action", "account", "actor", "address", "after", "app", "asn", "before", "browser", "client", "connection"],
  ...["country", "cursor", "device", "error", "format", "from", "imprint", "key", "month", "next", "of", "outcome"],
  ...["person", "q", "reason", "risk", "search", "since", "span", "system", "target", "to", "token", "tool", "view"],
  ...["web_app", "why", "workspace", "zone", "callbackUrl", "email", "empty", "days"],
];

/** Fields that cannot be stored, in whatever action. */
export const UNSTORABLE = ["a\u0000b", "\ud800", "\udc00x"];
