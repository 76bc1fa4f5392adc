import { expect, test } from "vitest";

import { outcomeOf } from "./after-attempt";

const NOW = new Date("2026-11-26T07:00:00Z");

test.each([
  ["120", 120],
  ["99999999", 99_999_999],
  ["Thu, 26 Nov 2026 07:20:00 GMT", 1200],
  ["Thu, 26 Nov 2026 06:59:00 GMT", undefined],
  ["soon", undefined],
  ["-5", undefined],
  [null, undefined],
])("Retry-After: %s means a pause of %s seconds", (retryAfter, askedSeconds) => {
  expect(outcomeOf(503, retryAfter, NOW)).toEqual({ kind: "failed", askedSeconds });
});
