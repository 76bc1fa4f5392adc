import { expect, test } from "vitest";

import { keyState } from "./key-state";

const now = new Date("2026-01-01T00:00:00Z");
const at = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const key = { expiresAt: null, revokedAt: null, replacedBy: null };

test.each([
  ["without an end", key, "active"],
  ["a millisecond before its expiry", { ...key, expiresAt: at(1) }, "active"],
  ["at its expiry", { ...key, expiresAt: now }, "expired"],
  ["replaced, in its overlap", { ...key, expiresAt: at(1), replacedBy: "key_2" }, "overlap"],
  ["replaced, after its overlap", { ...key, expiresAt: now, replacedBy: "key_2" }, "expired"],
  ["revoked and expired", { ...key, expiresAt: now, revokedAt: now }, "revoked"],
])("a key %s", (_name, times, state) => {
  expect(keyState(times, now)).toBe(state);
});
