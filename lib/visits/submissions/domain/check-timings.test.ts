import fc from "fast-check";
import { expect, test } from "vitest";

import { SIGNAL_NAMES } from "@/lib/contract/signal-lists";
import { Signals, type Timings } from "@/lib/contract/signals";
import captured from "@/lib/visits/risk/captures/chromium.json";
import { timingsFor } from "@/test/timings";
import { checkTimings } from "./check-timings";

const signals = Signals.parse({
  ...captured.signals,
  worker: { state: "ok", value: {} },
  iframe: { state: "ok", value: {} },
});
const gecko = Signals.parse({ ...signals, engine: { state: "ok", value: { family: "gecko" } } });
const of = (timings: Timings, challengeAgeMs: number, by = signals, isOfOwnClock = false) =>
  checkTimings({ timings: timingsFor(by, timings), signals: by, challengeAgeMs, isOfOwnClock });

test.each([
  ["a group that took longer than the visit", { total: 180, challenge: 40, signals: { fonts: 700 } }, 200],
  ["a challenge that took longer than the visit", { total: 90, challenge: 900, signals: {} }, 200],
  ["a challenge that took a little longer than the visit", { total: 400, challenge: 410, signals: {} }, 500],
  ["half milliseconds", { total: 180, challenge: 40.5, signals: {} }, 200],
  ["work on the challenge before it existed", { total: 5000, challenge: 40, signals: {} }, 90],
  ["everything in no time", { total: 0, challenge: 0, signals: { worker: 0, canvas: 0 } }, 600],
])("%s is found", (_what, timings, challengeAgeMs) => {
  expect(of(timings, challengeAgeMs)).toMatchObject([{ ruleId: "repeat.timings-impossible", status: "SUSPICIOUS" }]);
});

const TIMED = timingsFor(signals);
const { fonts: _fonts, ...withoutFonts } = TIMED.signals;
const { audio: _audio, ...withoutAudio } = signals;

test.each<[string, Timings["signals"], Signals, string]>([
  ["a group without its duration", withoutFonts, signals, "fonts"],
  ["no durations at all", {}, signals, Object.keys(signals).join(", ")],
  ["the duration of a group that was not sent", TIMED.signals, withoutAudio, "audio"],
])("%s is found", (_what, durations, sent, value) => {
  const found = checkTimings({
    timings: { ...TIMED, signals: durations },
    signals: sent,
    challengeAgeMs: 200,
    isOfOwnClock: false,
  });
  expect(found).toMatchObject([
    { ruleId: "repeat.timings-missing", reason: "SIGNAL_DATA_INCOMPLETE", status: "SUSPICIOUS", compared: [{ value }] },
  ]);
});

const SHORT = { navigator: 3, screen: 1, canvas: 7, fonts: 12 };

test.each<[string, Timings, boolean, number]>([
  ["by one clock, in milliseconds", { total: 500, challenge: 200, signals: SHORT }, true, 1],
  ["by two clocks", { total: 500, challenge: 200, signals: SHORT }, false, 0],
  ["by a page clock of 100 ms", { total: 500, challenge: 200, signals: { canvas: 100, fonts: 200 } }, true, 0],
])(
  "work on the challenge for 0.3 s within 20 ms, %s, is found only where it can be known",
  (_how, timings, isOfOwnClock, count) => {
    expect(of(timings, 20, signals, isOfOwnClock)).toHaveLength(count);
  },
);

/** A run as it really happens, in milliseconds on the browser's true clock. */
const runs = fc.record({
  asked: fc.nat(3_000),
  challenge: fc.integer({ min: 1, max: 8_000 }),
  after: fc.nat(60_000),
  upload: fc.nat(20_000),
  beganAt: fc.double({ min: 0, max: 1e9, noNaN: true }),
  tickMs: fc.constantFrom(0.005, 0.1, 1, 16.667, 100),
  /** Ticks that an extension adds to the clock, which it keeps from decreasing. */
  noise: fc.oneof(fc.constant([0]), fc.array(fc.nat({ max: 10 }), { minLength: 1 })),
  groups: fc.array(
    fc.tuple(
      fc.constantFrom(...SIGNAL_NAMES),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
  ),
});

test("no real run has a finding, however slow it is and however coarse or noisy the page's clock", () => {
  fc.assert(
    fc.property(runs, ({ asked, challenge, after, upload, beganAt, tickMs, noise, groups }) => {
      const received = asked + challenge;
      const end = received + after;
      const spans = groups.map(
        ([name, one, other]) => [name, Math.min(one, other) * end, Math.max(one, other) * end] as const,
      );
      const times = [0, received, end, ...spans.flatMap(([, from, to]) => [from, to])].sort(
        (one, other) => one - other,
      );
      let last = 0;
      const clock = new Map<number, number>();
      for (const [index, ms] of times.entries()) {
        const tick = Math.floor((beganAt + ms) / tickMs) + (noise[index % noise.length] ?? 0);
        clock.set(ms, (last = Math.max(last, tick * tickMs)));
      }
      const between = (from: number, to: number) =>
        Math.max(0, Math.round((clock.get(to) ?? 0) - (clock.get(from) ?? 0)));
      const timings: Timings = {
        total: between(0, end),
        challenge: between(0, received),
        signals: Object.fromEntries(spans.map(([name, from, to]) => [name, between(from, to)])),
      };
      // The service issues the challenge some time during the request; here as late as possible.
      const isOfOwnClock = Math.max(...noise) === 0;
      expect(of(timings, after + upload, tickMs > 1 ? gecko : signals, isOfOwnClock)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
