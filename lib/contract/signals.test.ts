import fc from "fast-check";
import { expect, test } from "vitest";

import { FEATURES, FONTS, SIGNAL_NAMES } from "./signal-lists";
import { Signals, STORABLE_TEXT, Timings } from "./signals";

const withUserAgent = (userAgent: string) => ({ navigator: { state: "ok", value: { userAgent } } });

test("the lists have their published lengths and no duplicates", () => {
  expect([FEATURES.length, FONTS.length]).toEqual([34, 20]);
  for (const list of [FEATURES, FONTS, SIGNAL_NAMES]) expect(new Set(list).size).toBe(list.length);
  expect(Object.keys(Signals.shape).sort()).toEqual([...SIGNAL_NAMES].sort());
});

test("a group may be missing, failed or read, and only a read one has a value", () => {
  expect(Signals.safeParse({}).success).toBe(true);
  for (const state of ["absent", "blocked", "timeout", "error"]) {
    expect(Signals.safeParse({ audio: { state } }).success, state).toBe(true);
    expect(Signals.safeParse({ audio: { state, value: 1 } }).success, state).toBe(false);
  }
  expect(Signals.safeParse({ audio: { state: "ok", value: 124.04 } }).success).toBe(true);
  expect(Signals.safeParse({ audio: { state: "ok" } }).success).toBe(false);
});

test.each([
  ["an unknown group", { battery: { state: "ok", value: 1 } }],
  ["an unknown field", { page: { state: "ok", value: { secret: true } } }],
  ["an infinite number", { audio: { state: "ok", value: Infinity } }],
  ["null for a number", { audio: { state: "ok", value: null } }],
  ["513 characters of user agent", withUserAgent("x".repeat(513))],
  ["NUL in a text", withUserAgent("a\0b")],
  ["a lone surrogate in a text", withUserAgent("a\ud800b")],
  ["257 characters of GPU", { webgl: { state: "ok", value: { vendor: "v".repeat(257), limits: [] } } }],
  ["a bitmap of other digits", { fonts: { state: "ok", value: "0120" } }],
  ["a bitmap of 129 digits", { fonts: { state: "ok", value: "0".repeat(129) } }],
  ["129 languages", { navigator: { state: "ok", value: { languages: Array(129).fill("en") } } }],
])("%s is refused", (_what, signals) => {
  expect(Signals.safeParse(signals).success).toBe(false);
});

test("512 characters of any well-formed user agent are accepted", () => {
  expect(Signals.safeParse(withUserAgent("\u{1F600}".repeat(256))).success).toBe(true);
});

test("timings refer to known signals and are never negative", () => {
  expect(Timings.safeParse({ total: 90, challenge: 12, signals: { audio: 5 } }).success).toBe(true);
  expect(Timings.safeParse({ total: -1, challenge: 12, signals: {} }).success).toBe(false);
  expect(Timings.safeParse({ total: 1, challenge: 12, signals: { battery: 1 } }).success).toBe(false);
});

test("stored text has no NUL and no lone surrogate, whether a validator reads code units or code points", () => {
  const unit = fc.constantFrom("\0", "a", "é", "\uD800", "\uDBFF", "\uDC00", "\uDFFF", "\uFFFF", "😀");
  const byCodePoints = new RegExp(STORABLE_TEXT.source, "u");
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit, maxLength: 12 }), fc.string({ unit: "binary" })), (text) => {
      const isStorable = !/[\0\p{Cs}]/u.test(text);
      return STORABLE_TEXT.test(text) === isStorable && byCodePoints.test(text) === isStorable;
    }),
    { numRuns: 500 },
  );
});

test("refusing a text at its very end takes time linear in its length", () => {
  const startedAt = performance.now();
  for (const unit of ["a", "😀", "a😀"]) expect(STORABLE_TEXT.test(`${unit.repeat(50_000)}\0`)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
