import type { Signals, Timings } from "@/lib/contract/signals";
import type { Compared, Evidence } from "@/lib/visits/risk/domain/evidence";

import { repeatEvidence } from "./evidence";

type Timed = {
  timings: Timings;
  signals: Signals;
  /** Milliseconds from issuing the challenge to receiving the submission, by the service's clocks. */
  challengeAgeMs: number;
  /** Whether both were read from one clock. */
  isOfOwnClock: boolean;
};

/** Allows for clock skew between replicas, for clock adjustments, and for page clocks that are coarse or noisy. */
const SERVICE_CLOCK_TOLERANCE_MS = 1500;
/** Of one service clock and a page clock that shows milliseconds: a tick of 100 ms and the drift of two minutes. */
const OWN_CLOCK_TOLERANCE_MS = 150;
/**
 * Page clocks never decrease, however coarse or noisy browsers and extensions make them, and the component reads all of
 * a run's from one: a part exceeds the whole by no more than an inaccurate sum.
 *
 * Sources: W3C High Resolution Time; JShelter, which keeps the last value where noise would decrease it.
 */
const PAGE_CLOCK_TOLERANCE_MS = 2;

const text = (ms: number) => `${ms} ms`;

const impossible = (explanation: string, harmlessCause: string, compared: Compared[]) =>
  repeatEvidence("repeat.timings-impossible", {
    explanation,
    compared,
    harmlessCauses: [harmlessCause],
    source: "W3C High Resolution Time, monotonic clocks; the order of events in a run of the browser component",
  });

/** The component sends one duration for each group that it sends, whatever the state of the group. */
function unpairedGroups({ timings, signals }: Timed): Evidence | undefined {
  const unpaired = (names: object, others: object) => Object.keys(names).filter((name) => !Object.hasOwn(others, name));
  const [untimed, unsent] = [unpaired(signals, timings.signals), unpaired(timings.signals, signals)];
  if (untimed.length + unsent.length === 0) return undefined;
  const listed = (label: string, names: string[]) =>
    names.length === 0 ? [] : [{ label, value: names.join(", "), isOdd: true }];
  return repeatEvidence("repeat.timings-missing", {
    explanation:
      "The visit does not contain one duration for each group of signals, although the browser component measures every group that it sends.",
    compared: [
      ...listed("Signal groups without a duration", untimed),
      ...listed("Durations without their signal group", unsent),
    ],
    harmlessCauses: ["A copy of the component that the site has changed"],
    source: "Every release of the browser component since 0.3.0",
  });
}

function partBeyondWhole({ total, challenge, signals }: Timings): Evidence | undefined {
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

/** The component rounds to whole milliseconds, so a fraction came from something else. */
function fraction({ total, challenge, signals }: Timings): Evidence | undefined {
  const unexpected = [total, challenge, ...Object.values(signals)].find((ms) => !Number.isInteger(ms));
  return unexpected === undefined
    ? undefined
    : impossible(
        "The visit contains a time in a format that the browser component never sends.",
        "A copy of the component that the site has changed",
        [
          { label: "Time sent", value: text(unexpected), isOdd: true },
          { label: "Expected", value: "whole milliseconds", isOdd: false },
        ],
      );
}

/**
 * Short durations that a clock of whole milliseconds shows in nearly every run, and a coarse or noisy one rarely. The
 * resolution alone, as `clockStepMs` finds it, does not tell: with noise it is a millisecond too.
 */
const SHORT = { groups: 4, maxMs: 40, coarseMs: 10 } as const;

const showsMilliseconds = ({ signals }: Timings): boolean =>
  Object.values(signals).filter((ms) => ms > 0 && ms <= SHORT.maxMs && ms % SHORT.coarseMs !== 0).length >=
  SHORT.groups;

/** The time spent after receiving the challenge cannot exceed the challenge's age when the submission arrives. */
function longerThanChallenge({ timings, challengeAgeMs, isOfOwnClock }: Timed): Evidence | undefined {
  const afterChallengeMs = timings.total - timings.challenge;
  const isExact = isOfOwnClock && showsMilliseconds(timings);
  const toleranceMs = isExact ? OWN_CLOCK_TOLERANCE_MS : SERVICE_CLOCK_TOLERANCE_MS;
  if (afterChallengeMs <= challengeAgeMs + toleranceMs) return undefined;
  return impossible(
    "The visit claims to have worked on its challenge for longer than the challenge had existed.",
    "A service clock that was adjusted during the visit",
    [
      { label: "Time after the challenge, as claimed", value: text(afterChallengeMs), isOdd: true },
      { label: "Age of the challenge when the visit arrived", value: text(challengeAgeMs), isOdd: false },
    ],
  );
}

/** Groups that start a thread or process, which always takes measurable time. */
const HEAVY = ["worker", "iframe", "canvas", "fonts"] as const;
/** Several ticks of the coarsest clock that extensions give to pages. */
const SURELY_PASSED_MS = 500;

/** Chromium only, because its clock is fine-grained. In other browsers a quick visit may fit between two ticks. */
function allZero({ timings, signals, challengeAgeMs }: Timed): Evidence | undefined {
  const isBlink = signals.engine?.state === "ok" && signals.engine.value.family === "blink";
  const isZero = [timings.total, timings.challenge, ...Object.values(timings.signals)].every((ms) => ms === 0);
  const hasRun = HEAVY.every((name) => signals[name]?.state === "ok");
  if (!isBlink || !isZero || !hasRun || challengeAgeMs < SURELY_PASSED_MS) return undefined;
  return impossible(
    "The visit claims to have taken no time at all.",
    "A privacy extension that stops the clocks of pages",
    [
      { label: "Time for the whole visit, as claimed", value: text(0), isOdd: true },
      { label: "Age of the challenge when the visit arrived", value: text(challengeAgeMs), isOdd: false },
    ],
  );
}

/** What extensions that coarsen clocks do as well: they replace other members, and add noise to pictures. */
function isExtended({ signals }: Timed): boolean {
  const automation = signals.automation?.state === "ok" ? signals.automation.value : undefined;
  const canvas = signals.canvas?.state === "ok" ? signals.canvas.value : undefined;
  const isBrave = signals.navigator?.state === "ok" && signals.navigator.value.isBrave === true;
  const replaced = automation?.tampered.filter((name) => name !== "Function.toString") ?? [];
  const isNoisy = canvas?.isStable === false || (canvas?.solidFillErrors ?? 0) > 0;
  return isBrave || isNoisy || replaced.length > 0 || (automation?.navigatorProperties.length ?? 0) > 0;
}

/** Ticks of the clocks that Firefox with `resistFingerprinting` and extensions show, in milliseconds. */
const COARSE_TICK_MS = 1000 / 60;
/** Bits by which all durations fit a coarse clock by chance: one visit in a million. */
const COARSE_BITS = 20;
/** A thread that starts, loads a script and answers takes longer; the least of 20 runs of Chromium 156 was 53 ms. */
const WORKER_MIN_MS = 2;

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** The tick of a clock that could have measured all of these. Undefined if a clock of milliseconds is likelier. */
function coarseTick(durations: readonly number[]): number | undefined {
  const counted = durations.filter((ms) => ms > 0);
  const divisor = counted.reduce(greatestDivisor, 0);
  if (divisor > 1 && counted.length * Math.log2(divisor) >= COARSE_BITS) return divisor;
  const isOnTick = (ms: number) => Math.abs(ms - Math.round(ms / COARSE_TICK_MS) * COARSE_TICK_MS) <= 0.5;
  const isOnTicks = counted.length * Math.log2(COARSE_TICK_MS) >= COARSE_BITS && counted.every(isOnTick);
  return isOnTicks ? Math.round(COARSE_TICK_MS) : undefined;
}

/** Whether the visit came from Chromium as it is, with everything that takes time. */
function isPlainChromium(timed: Timed): boolean {
  const { signals } = timed;
  const isBlink = signals.engine?.state === "ok" && signals.engine.value.family === "blink";
  return isBlink && HEAVY.every((name) => signals[name]?.state === "ok") && !isExtended(timed);
}

function instantWorker(timed: Timed): Evidence | undefined {
  const { worker = WORKER_MIN_MS } = timed.timings.signals;
  if (worker >= WORKER_MIN_MS || !isPlainChromium(timed)) return undefined;
  return impossible(
    "The visit claims that a worker started and answered in no time.",
    "A privacy extension that stops the clocks of pages",
    [
      { label: "Time for a worker to start and answer", value: text(worker), isOdd: true },
      { label: "Least of 20 runs", value: "53 ms", isOdd: false },
    ],
  );
}

/**
 * Chromium shows pages a clock of 0.1 ms, or 0.005 ms if they are isolated, in every mode. Durations that fit a coarse
 * clock are like those of many other visits, so that no repetition shows in them: someone who replays a visit would
 * write such. An extension that coarsens clocks and changes nothing else sends the same; it has a rule of its own, so
 * that a site with such visitors can set that to observe.
 */
function coarseClock(timed: Timed): Evidence | undefined {
  const { timings } = timed;
  if (!isPlainChromium(timed)) return undefined;
  const tick = coarseTick([timings.total, timings.challenge, ...Object.values(timings.signals)]);
  if (tick === undefined) return undefined;
  return repeatEvidence("repeat.timings-coarse", {
    explanation:
      "The visit's times come from a clock coarser than this browser's. Either a privacy extension protects the visitor, or somebody wrote times that do not tell visits apart.",
    compared: [
      { label: "Resolution of the times sent", value: text(tick), isOdd: true },
      { label: "Resolution of this browser's clock", value: "0.1 ms", isOdd: false },
    ],
    harmlessCauses: [
      "A privacy extension that makes the clocks of pages coarse and changes nothing else, such as JShelter at its lowest level",
    ],
    source: "Chromium, third_party/blink/renderer/core/timing/time_clamper.h; measured with Chromium 156",
  });
}

/**
 * Finds missing and impossible timings. Only for components that send a proof (0.3.0 and later); earlier ones measure differently.
 */
export function checkTimings(timed: Timed): Evidence[] {
  const { timings } = timed;
  const wrong =
    fraction(timings) ??
    partBeyondWhole(timings) ??
    longerThanChallenge(timed) ??
    allZero(timed) ??
    instantWorker(timed) ??
    coarseClock(timed);
  return [unpairedGroups(timed), wrong].filter((found) => found !== undefined);
}
