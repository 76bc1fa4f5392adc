import { expect, test } from "vitest";

import { afterFailure, outcomeOf, UNREACHABLE_AFTER } from "./after-attempt";

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

test.each([
  ["several failures", UNREACHABLE_AFTER, "unreachable"],
  ["one failure, whose message was erased,", 1, undefined],
])("an endpoint that has been failing for more than three days after %s: %i, %s", (_, failures, disable) => {
  const failingSince = new Date("2026-11-22T07:00:00Z");
  const failing = { attempts: 1, firstAttemptAt: NOW, failures, failingSince, now: NOW };
  expect(afterFailure(failing, { kind: "failed" }, 0.5).disable).toBe(disable);
});
