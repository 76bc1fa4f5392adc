import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

/** More than the largest machines have. */
const MAX_CORES = 4096;

const odd = (label: string, value: unknown, expected: string): Compared => ({
  label: `${label} (expected: ${expected})`,
  value: String(value),
  isOdd: true,
});

type Check = [label: string, value: number | undefined, isPossible: (value: number) => boolean, expected: string];

const isCount = (least: number) => (value: number) => Number.isInteger(value) && value >= least;

function numbersOf({ signals }: Visit): Check[] {
  const screen = groupValue(signals, "screen");
  const isCores = (value: number) => isCount(1)(value) && value <= MAX_CORES;
  const isMemory = (value: number) => value > 0 && Number.isInteger(Math.log2(value));
  return [
    ...(["navigator", "worker", "iframe"] as const).flatMap((name): Check[] => {
      const realm = groupValue(signals, name);
      return [
        [`Processor cores, ${name}`, realm?.hardwareConcurrency, isCores, "a whole number, 1 or more"],
        [`Memory in GiB, ${name}`, realm?.deviceMemory, isMemory, "a power of two"],
      ];
    }),
    ["Touch points", groupValue(signals, "navigator")?.maxTouchPoints, isCount(0), "a whole number"],
    ["Screen width", screen?.width, isCount(0), "whole pixels"],
    ["Screen height", screen?.height, isCount(0), "whole pixels"],
    ["Pixel ratio", screen?.devicePixelRatio, (value) => value > 0, "more than 0"],
  ];
}

/** The clock's offset of the day is that of one of the seasons, or an hour from it where Ramadan or a new law moves it. */
const MAX_MOVED_MINUTES = 60;

function clock({ signals }: Visit): Compared[] {
  const { now, january, july } = groupValue(signals, "timezone") ?? {};
  if (now === undefined || january === undefined || july === undefined) return [];
  const isFar = [january, july].every((season) => Math.abs(now - season) > MAX_MOVED_MINUTES);
  return isFar ? [odd("Minutes west of Greenwich, today", now, `${january} or ${july}, as in January or July`)] : [];
}

/** Values that no browser has on any machine: their types and ranges are fixed by standards. */
export const environmentValues: Rule = {
  id: "environment.values",
  reason: "ENVIRONMENT_INCONSISTENT",
  source:
    "HTML standard, NavigatorConcurrentHardware; Device Memory; Pointer Events, maxTouchPoints; CSSOM View, Screen; IANA time zone database",
  harmlessCauses: ["An extension that replaces values with made-up ones"],
  explainedBy: ["tor", "gecko-rfp", "brave"],
  check(visit) {
    const compared = [
      ...numbersOf(visit)
        .filter(([, value, isPossible]) => value !== undefined && !isPossible(value))
        .map(([label, value, , expected]) => odd(label, value, expected)),
      ...clock(visit),
    ];
    return {
      status: "SUSPICIOUS",
      explanation: "The visit contains values that no browser shows on any device.",
      compared,
    };
  },
};
