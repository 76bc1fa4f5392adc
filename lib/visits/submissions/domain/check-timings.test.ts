import fc from "fast-check";
import { expect, test } from "vitest";

import { SIGNAL_NAMES } from "@/lib/contract/signal-lists";
import { Signals, Timings } from "@/lib/contract/signals";
import chromiumRuns from "@/lib/visits/repeats/captures/chromium.json";
import captured from "@/lib/visits/risk/captures/chromium.json";
import { timingsFor } from "@/test/timings";
import { checkTimings } from "./check-timings";

const signals = Signals.parse({
  ...captured.signals,
  worker: { state: "ok", value: {} },
  iframe: { state: "ok", value: {} },
});
const withoutWorker = Signals.parse({ ...signals, worker: { state: "blocked" } });
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

/** Runs of Chromium 156 on one machine. */
const RUNS = chromiumRuns.map((run) => Timings.parse(run));
const [REAL = timingsFor(signals)] = RUNS;
const everyTime = ({ total, challenge, signals: groups }: Timings, change: (ms: number) => number): Timings => ({
  total: change(total),
  challenge: change(challenge),
  signals: Object.fromEntries(Object.entries(groups).map(([name, ms]) => [name, change(ms)])),
});
const onTicksOf = (tickMs: number) => everyTime(REAL, (ms) => Math.round(Math.ceil(ms / tickMs) * tickMs));
const all = Object.fromEntries(SIGNAL_NAMES.map((name) => [name, 1]));

test("no run of Chromium is taken for one by a coarse clock", () => {
  expect(RUNS.flatMap((run) => of(run, 10_000))).toEqual([]);
});

test.each([
  ["a worker that takes no time", { ...REAL, signals: { ...REAL.signals, worker: 0 } }],
  ["one millisecond for everything", { total: 90, challenge: 40, signals: all }],
])("Chromium that claims %s is found", (_what, timings) => {
  expect(of(timings, 500)).toMatchObject([{ ruleId: "repeat.timings-impossible", status: "SUSPICIOUS" }]);
});

test.each([
  ["100 ms", onTicksOf(100)],
  ["a sixtieth of a second", onTicksOf(1000 / 60)],
  ["7 ms", onTicksOf(7)],
])(
  "Chromium with a clock of %s is found by a rule of its own, which names the extension that may be the cause",
  (_what, timings) => {
    expect(of(timings, 500)).toMatchObject([
      {
        ruleId: "repeat.timings-coarse",
        status: "SUSPICIOUS",
        harmlessCauses: [expect.stringContaining("privacy extension")],
      },
    ]);
  },
);

const extended = (changes: object): Signals => Signals.parse({ ...signals, ...changes });
const automation = { globals: [], attributes: [], tampered: [], navigatorProperties: [] };

test.each([
  ["Chromium in milliseconds", REAL, signals],
  ["Firefox that shows a coarse clock", onTicksOf(100), gecko],
  [
    "an extension that also replaces members",
    onTicksOf(100),
    extended({ automation: { state: "ok", value: { ...automation, tampered: ["Navigator.plugins"] } } }),
  ],
  [
    "an extension that also adds noise to pictures",
    onTicksOf(10),
    extended({ canvas: { state: "ok", value: { hash: "00ff00ff00ff00ff", isStable: true, solidFillErrors: 4 } } }),
  ],
  ["a page without workers", onTicksOf(100), extended({ worker: { state: "blocked" } })],
  [
    "a worker that was blocked at once",
    { ...REAL, signals: { ...REAL.signals, worker: 0 } },
    extended({ worker: { state: "blocked" } }),
  ],
  // A processor without a steady counter: Windows counts ticks of 15.6 ms then, which round to 16, 31, 47 and 63.
  ["Chromium on a machine with a slow counter", onTicksOf(15.625), signals],
])("%s is left alone", (_what, timings, by) => {
  expect(of(timings, 500, by)).toEqual([]);
});

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
      expect(of(timings, after + upload, tickMs > 1 ? gecko : withoutWorker, isOfOwnClock)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
