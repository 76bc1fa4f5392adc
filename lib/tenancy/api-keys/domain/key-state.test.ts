import { expect, test } from "vitest";

import { isUnused, keyState } from "./key-state";

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

test.each([
  ["made 30 days ago and never used", { createdAt: at(-30 * 86_400_000), lastUsedAt: null }, true],
  ["made a moment later", { createdAt: at(1 - 30 * 86_400_000), lastUsedAt: null }, false],
  ["old, used 30 days ago", { createdAt: at(-9e10), lastUsedAt: at(-30 * 86_400_000) }, true],
  ["old, used yesterday", { createdAt: at(-9e10), lastUsedAt: at(-86_400_000) }, false],
  ["old and revoked", { createdAt: at(-9e10), lastUsedAt: null, revokedAt: now }, false],
])("a key %s is reported as unused: %#", (_name, times, isTold) => {
  expect(isUnused({ ...key, ...times }, now)).toBe(isTold);
});
