import type { Signals, Timings } from "@/lib/contract/signals";

import { type Compared, evidenceOf, type RepeatEvidence } from "./evidence";

type Timed = {
  timings: Timings;
  signals: Signals;
  /** Milliseconds of the service's clocks between the issue of the challenge and the arrival of the submission. */
  challengeAgeMs: number;
};

/** The service's replicas may not agree on the time, and a clock may be set. */
const SERVICE_CLOCK_TOLERANCE_MS = 1500;
/** Privacy settings and extensions give pages clocks that are 100 ms coarse, and some that are noisy by as much. */
const PAGE_CLOCK_TOLERANCE_MS = 250;

const text = (ms: number) => `${ms} ms`;

const impossible = (explanation: string, harmlessCause: string, compared: Compared[]) =>
  evidenceOf("repeat.timings-impossible", {
    explanation,
    compared,
    harmlessCauses: [harmlessCause],
    source: "W3C High Resolution Time, monotonic clocks; the order of events in a run of the browser component",
  });

/** A part cannot take longer than the whole it lies in: clocks of pages never run backwards. */
function partBeyondWhole({ total, challenge, signals }: Timings): RepeatEvidence | undefined {
  const parts: [string, number][] = [["challenge", challenge], ...Object.entries(signals)];
  const unexpected = parts.find(([, ms]) => ms > total + PAGE_CLOCK_TOLERANCE_MS);
  return (
    unexpected &&
    impossible(
      "A part of the visit claims to have taken longer than the whole visit.",
      "An extension that falsifies the clocks of pages",
      [
        { label: `Time for ${unexpected[0]}`, value: text(unexpected[1]), isOdd: true },
        { label: "Time for the whole visit", value: text(total), isOdd: false },
      ],
    )
  );
}

/** The component rounds; a fraction was written by something else. */
function fraction({ total, challenge, signals }: Timings): RepeatEvidence | undefined {
  const unexpected = [total, challenge, ...Object.values(signals)].find((ms) => !Number.isInteger(ms));
  return unexpected === undefined
    ? undefined
    : impossible(
        "The visit tells a time in a form that its component never sends.",
        "A copy of the component that the site has changed",
        [
          { label: "Time sent", value: text(unexpected), isOdd: true },
          { label: "Expected", value: "whole milliseconds", isOdd: false },
        ],
      );
}

/** What ran after the challenge had come took so long, at least, until the submission could arrive. */
function beforeItsTime({ timings, challengeAgeMs }: Timed): RepeatEvidence | undefined {
  const afterChallengeMs = timings.total - timings.challenge;
  if (afterChallengeMs <= challengeAgeMs + SERVICE_CLOCK_TOLERANCE_MS) return undefined;
  return impossible(
    "The visit claims to have worked on its challenge for longer than the challenge existed.",
    "A clock of the service that was set while the visit was under way",
    [
      { label: "Time after the challenge, as claimed", value: text(afterChallengeMs), isOdd: true },
      { label: "Age of the challenge when the visit arrived", value: text(challengeAgeMs), isOdd: false },
    ],
  );
}

/** Groups that need another thread or process, which no browser starts in no time at all. */
const HEAVY = ["worker", "iframe", "canvas", "fonts"] as const;
/** Several ticks of the coarsest clock that extensions give. */
const SURELY_PASSED_MS = 500;

/** In Chromium only, whose own clock is fine: a quick visit may lie between two ticks of the others'. */
function noTimeAtAll({ timings, signals, challengeAgeMs }: Timed): RepeatEvidence | undefined {
  const isBlink = signals.engine?.state === "ok" && signals.engine.value.family === "blink";
  const isZero = [timings.total, timings.challenge, ...Object.values(timings.signals)].every((ms) => ms === 0);
  const hasRun = HEAVY.every((name) => signals[name]?.state === "ok");
  if (!isBlink || !isZero || !hasRun || challengeAgeMs < SURELY_PASSED_MS) return undefined;
  return impossible(
    "The visit claims to have observed everything in no time at all.",
    "A privacy extension that stops the clocks of pages",
    [
      { label: "Time for the whole visit, as claimed", value: text(0), isOdd: true },
      { label: "Age of the challenge when the visit arrived", value: text(challengeAgeMs), isOdd: false },
    ],
  );
}

/** What the times of a visit claim and cannot be. Only of components that measure as 0.3.0 does: those that send a proof. */
export function checkTimings(timed: Timed): RepeatEvidence[] {
  const { timings } = timed;
  const found = fraction(timings) ?? partBeyondWhole(timings) ?? beforeItsTime(timed) ?? noTimeAtAll(timed);
  return found === undefined ? [] : [found];
}
