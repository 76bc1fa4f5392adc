import { checkEvidence, type Evidence } from "@/lib/visits/risk/domain/evidence";

import type { Durations } from "./durations";

/** The earlier visit that had the same durations. */
export type EarlierVisit = {
  /** Whole seconds since then. */
  ageSeconds: number;
  /** Whether the durations of the run and its challenge are equal too. */
  isWholeRun: boolean;
  /** Whether it had the same token and network. */
  isSameSender: boolean;
  /**
   * Number of stored visits with which equal durations could coincide, up to `COUNTED_VISITS`: those of the same kind of
   * machine and browser if both visits are of one kind, otherwise all.
   */
  comparableVisits: number;
};

/** Pictures, or fonts in their place, among the latest visits of one kind of machine. */
export type Pictures = {
  visits: number;
  different: number;
  networks: number;
};

/** Runs among the latest visits of one kind of machine that took nearly as long as this one in every part. */
export type AlikeRuns = {
  visits: number;
  alike: number;
  networks: number;
};

export type Repetition = { earlier?: EarlierVisit; pictures?: Pictures; runs?: AlikeRuns };

/**
 * Bits required in addition to those for the number of comparable visits. Real durations differ by a quarter more bits
 * than estimated, so together there is one false alarm per several thousand visits in a crowd, and fewer elsewhere.
 */
const SPARE_BITS = 8;

/** Among this many latest visits of one kind within an hour, `different` pictures from as many networks are unusual. */
export const PICTURE_WINDOW = { visits: 16, minutes: 60, different: 10, networks: 10 } as const;

/**
 * Among this many latest visits of one kind, so many runs like this one are unusual. Even on one idle machine only three
 * pairs in a hundred are; if it were one in four, twelve of sixteen would happen in one of 26,000 visits. The networks
 * exclude someone who loads a page again and again.
 */
export const RUN_WINDOW = { visits: 16, days: 7, alike: 12, networks: 5 } as const;

/** Limit for counting comparable visits. */
export const COUNTED_VISITS = 50_000;
/** Maximum number of visits per workspace kept for detecting repetitions, about 150 MB with indexes. */
export const REMEMBERED_VISITS = 500_000;

const isTelling = ({ isWholeRun, comparableVisits }: EarlierVisit, { groupBits, runBits }: Durations): boolean => {
  const visits = comparableVisits < COUNTED_VISITS ? comparableVisits : REMEMBERED_VISITS;
  return (isWholeRun ? runBits : groupBits) >= SPARE_BITS + Math.log2(1 + visits);
};

/**
 * A page that was suspended between its two requests asks for a new challenge and sends the signals it already has, so
 * the groups' durations are equal but not those of the run.
 */
const isOwnRetry = ({ isSameSender, isWholeRun }: EarlierVisit): boolean => isSameSender && !isWholeRun;

const oneIn = (bits: number): string =>
  bits >= 30 ? "1 in a billion" : `1 in ${Math.floor(2 ** bits).toLocaleString("en")}`;

const ago = (seconds: number): string =>
  seconds < 120
    ? `${seconds} seconds before`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} minutes before`
      : seconds < 172_800
        ? `${Math.round(seconds / 3600)} hours before`
        : `${Math.round(seconds / 86_400)} days before`;

/** The rule about repeated visits, with its reason. */
export const PAYLOAD_RULES = { "repeat.payload": "ENVIRONMENT_INCONSISTENT" } as const;

const repeated = (found: Parameters<typeof checkEvidence>[2]): Evidence =>
  checkEvidence(PAYLOAD_RULES, "repeat.payload", found);

function repeatedDurations(earlier: EarlierVisit, durations: Durations): Evidence {
  const bits = earlier.isWholeRun ? durations.runBits : durations.groupBits;
  return repeated({
    explanation:
      "Each part of this visit took exactly as many milliseconds as in an earlier one, which does not happen by chance: what that visit sent was sent again.",
    compared: [
      { label: "Same durations, this visit", value: "all of them", isOdd: true },
      { label: "Same durations, seen", value: ago(earlier.ageSeconds), isOdd: false },
      { label: "Chance of that between two visits", value: `below ${oneIn(bits)}`, isOdd: false },
    ],
    harmlessCauses: ["A test of your own that sends a recorded visit again"],
    source:
      "Own measurement: of 1,770 pairs of visits of one browser on one machine, none took the same time in all parts",
  });
}

const alikeRuns = ({ visits, alike, networks }: AlikeRuns): Evidence =>
  repeated({
    explanation:
      "Machines that are alike in everything else took almost the same time for every part in most of the latest visits, in different networks: even one machine varies more from visit to visit, so one visit was sent again and again with slightly changed times.",
    compared: [
      { label: "Latest visits with nearly the same times", value: `${alike} of ${visits}`, isOdd: true },
      { label: "Networks that they came from", value: String(networks), isOdd: false },
    ],
    harmlessCauses: [
      "A test of your own that sends a recorded visit again",
      "Monitors that run one image in many places",
    ],
    source:
      "Own measurement: of the pairs of visits of one browser on one idle machine, 3 in 100 were as near in all parts",
  });

const changingPictures = ({ visits, different, networks }: Pictures): Evidence =>
  repeated({
    explanation:
      "Machines that are alike in everything else drew a different picture, or had different fonts, in nearly every visit, each from another network: machines of one kind draw the same few and share the same few sets of fonts.",
    compared: [
      {
        label: "Pictures or fonts of the latest visits",
        value: `${different} different in ${visits} visits`,
        isOdd: true,
      },
      { label: "Networks that they came from", value: String(networks), isOdd: false },
    ],
    harmlessCauses: ["An extension that changes pictures or fonts, in use by many visitors with equal machines"],
    source: "Own rule: a browser without noise draws by its version, fonts and graphics, which these visits share",
  });

/** Findings about a visit that repeats an earlier one in whole or in part. */
export function evaluateRepeat({ earlier, pictures, runs }: Repetition, durations: Durations): Evidence[] {
  if (earlier && !isOwnRetry(earlier) && isTelling(earlier, durations)) return [repeatedDurations(earlier, durations)];
  if (pictures) return [changingPictures(pictures)];
  return runs ? [alikeRuns(runs)] : [];
}
