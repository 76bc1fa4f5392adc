/**
 * Kind of place that a visit without a token came from. Within a stratum, links go wrong for the same reasons and about
 * equally often.
 */
export type Stratum = {
  system: "desktop" | "handheld";
  /** Levels from 0 (safest): number of other machines in the network, and frequency of the model. */
  crowd: number;
  model: number;
  /**
   * How long the only possible machine has been known there. Undefined without such a machine, as nothing can be linked
   * wrongly.
   */
  age: number | undefined;
  /** Whether one machine of the model is known there and the visit cannot be from it, so `age` is undefined. */
  isOtherMachine?: true;
};

/** Upper ends of the levels. Values above the last end are in the riskiest level. */
const CROWD_LEVELS = [1, 4, 10, 24];
const MODEL_LEVELS = [0.002, 0.02, 0.1];
/** Minimum days known, longest first. */
const AGE_LEVELS = [14, 5];

/** Level names for people. */
export const CROWD_NAMES = ["at most 1 other device", "up to 4 others", "up to 10 others", "up to 24 others", "more"];
export const MODEL_NAMES = ["rare (up to 1 in 500)", "up to 1 in 50", "up to 1 in 10", "more frequent"];
export const AGE_NAMES = ["14 days or more", "5 to 13 days", "2 to 4 days"];

const levelOf = (value: number, ends: readonly number[]): number => {
  const level = ends.findIndex((end) => value <= end);
  return level === -1 ? ends.length : level;
};

const ageLevel = (days: number): number => {
  const level = AGE_LEVELS.findIndex((least) => days >= least);
  return level === -1 ? AGE_LEVELS.length : level;
};

/** Ending of the names of strata with `isOtherMachine`. */
export const OTHER_MACHINE = "/other-";

export const stratumOf = (facts: {
  isHandheld: boolean;
  others: number;
  modelShare: number;
  ageDays: number | undefined;
}): Stratum => ({
  system: facts.isHandheld ? "handheld" : "desktop",
  crowd: levelOf(facts.others, CROWD_LEVELS),
  model: levelOf(facts.modelShare, MODEL_LEVELS),
  age: facts.ageDays === undefined ? undefined : ageLevel(facts.ageDays),
});

/** Ends with "-" if nothing can be linked there. */
export const stratumName = ({ system, crowd, model, age, isOtherMachine }: Stratum): string =>
  `${system}/${crowd}/${model}/${age ?? "-"}${isOtherMachine === true ? OTHER_MACHINE : ""}`;

export function parseStratum(name: string): Stratum {
  const [system, crowd, model, age] = name.split("/");
  return {
    system: system === "handheld" ? "handheld" : "desktop",
    crowd: Number(crowd),
    model: Number(model),
    age: age === "-" ? undefined : Number(age),
    ...(name.endsWith(OTHER_MACHINE) && { isOtherMachine: true }),
  };
}

/** Outcomes of tokens that were new in a network. */
export type Tally = {
  /** New tokens that were seen again: clients that keep their token. */
  returned: number;
  /** Visits with a new token that were linked or would have been. */
  links: number;
  /** Links disproved because both tokens returned, so they belong to two machines. */
  wrong: number;
  /** The same for tokens that were new within `RECENT_DAYS`, settled or not. Missing in counts of earlier releases. */
  recent?: { returned: number; wrong: number };
  /**
   * Visits with a new token where one machine of the model was known, settled or not, in all and within `ARRIVAL_DAYS`.
   * Those that cannot be from that machine count once for each network. Missing in counts of earlier releases.
   */
  met?: { all: number; lately: number };
};
export type Tallies = Readonly<Record<string, Tally>>;

/** Days after which a link counts as right if nothing disproved it. */
export const SETTLED_DAYS = 5;

/** Days in which places that were safe for months show that they no longer are. */
export const RECENT_DAYS = 21;

/** Days in which more second machines than before are noticed, long before tokens disprove a link to one of them. */
export const ARRIVAL_DAYS = 7;

/** Links are made only where, at 95 % confidence, at most this share of new devices is linked wrongly. */
export const MAX_WRONG_LINKS = 0.0125;
const Z_ONE_SIDED_95 = 1.645;
/**
 * Least share that closes a workspace, of visits that cannot be from the known machine. In simulation three to five more
 * second machines look the same, so this announces about as many wrong links as are allowed at most.
 */
const MIN_OTHERS = MAX_WRONG_LINKS / 3;
/** Stricter, since arrivals are judged each day and close every place. */
const Z_ONE_SIDED_97_7 = 2;

/** Bounds of a share, each at the confidence of `z` (95 %), by Wilson's score interval. */
function bounds(count: number, of: number, z = Z_ONE_SIDED_95): { lower: number; upper: number } {
  if (of === 0) return { lower: 0, upper: 1 };
  const share = Math.min(1, count / of);
  const z2 = z ** 2;
  const spread = z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of ** 2));
  const [middle, scale] = [share + z2 / (2 * of), 1 + z2 / of];
  return { lower: Math.max(0, (middle - spread) / scale), upper: Math.min(1, (middle + spread) / scale) };
}

export const upperBound = (count: number, of: number): number => bounds(count, of).upper;

const NONE = { returned: 0, links: 0, wrong: 0, recent: { returned: 0, wrong: 0 } };
type Summed = Required<Omit<Tally, "met">>;
const sum = (tallies: readonly Tally[]): Summed =>
  tallies.reduce<Summed>(
    (one, other) => ({
      returned: one.returned + other.returned,
      links: one.links + other.links,
      wrong: one.wrong + other.wrong,
      recent: {
        returned: one.recent.returned + (other.recent?.returned ?? 0),
        wrong: one.recent.wrong + (other.recent?.wrong ?? 0),
      },
    }),
    NONE,
  );

/** Odds that a link of a stratum is right rather than wrong. */
const oddsOf = ({ links, wrong }: Tally): number => (links - wrong + 1) / (wrong + 1);

export type Control = {
  /** Upper bound, at 95 % confidence, of the share of new devices linked wrongly where links are made. */
  bound: number;
  /** Links went wrong lately more often than the proof of four months allows. */
  isAlarmed: boolean;
  /** Machines that are certainly second ones of their model appear in the workspace more often than before. */
  areOthersArriving: boolean;
  odds: number;
};

/** Whether no link may be made, however likely it is. */
export const isClosed = ({ bound, isAlarmed, areOthersArriving }: Control): boolean =>
  isAlarmed || areOthersArriving || bound > MAX_WRONG_LINKS;

type Counted = { at: Stratum; tally: Tally };

const isAtLeastAsRisky = (one: Stratum, other: Stratum) => one.crowd >= other.crowd && one.model >= other.model;

const countIn = (pool: readonly Counted[]) => sum(pool.map(({ tally }) => tally));

/** Whether links to machines known for as long as `at` are made once those of the stratum are. */
const isMadeAt = (at: Stratum, { age }: Stratum): boolean => at.age !== undefined && at.age <= (age ?? 0);

/** The stratum's own counts, and pools with riskier strata of the same system or of both, which may prove more. */
function pools(stratum: Stratum, counted: readonly Counted[]): (readonly Counted[])[] {
  const riskier = counted.filter(({ at }) => isAtLeastAsRisky(at, stratum));
  const ofSystem = riskier.filter(({ at }) => at.system === stratum.system);
  const own = ofSystem.filter(({ at }) => at.crowd === stratum.crowd && at.model === stratum.model);
  const { links, wrong } = sum(ofSystem.map(({ tally }) => tally));
  return [own, ofSystem, ...(wrong <= 1 + links * MAX_WRONG_LINKS ? [riskier] : [])];
}

/**
 * Whether links went wrong lately more often than earlier, or than is ever allowed, in this place or in those that are
 * at most as risky. The proof of four months would hide it for weeks.
 */
function wentWrongLately(stratum: Stratum, counted: readonly Counted[]): boolean {
  const safer = counted.filter(({ at }) => isAtLeastAsRisky(stratum, at) && at.system === stratum.system);
  const own = safer.filter(({ at }) => isAtLeastAsRisky(at, stratum));
  return [own, safer].some((pool) => {
    const { returned, recent } = countIn(pool);
    const made = countIn(pool.filter(({ at }) => isMadeAt(at, stratum)));
    const earlier = upperBound(made.wrong - made.recent.wrong, Math.max(0, returned - recent.returned));
    return bounds(made.recent.wrong, recent.returned).lower > Math.min(earlier, MAX_WRONG_LINKS);
  });
}

/**
 * Whether, of the visits to the only known machine of a model, more than before cannot be from it. Second machines that
 * can be told apart (an older system, for example) announce those that cannot, to which links would be made until
 * tokens disprove them: that takes two visits of each. Rare, so the whole workspace is judged at once.
 */
function areOthersArriving(counted: readonly Counted[]): boolean {
  const met = { all: 0, lately: 0 };
  const others = { all: 0, lately: 0 };
  for (const { at, tally } of counted) {
    if (at.age === undefined && at.isOtherMachine !== true) continue;
    for (const total of at.isOtherMachine === true ? [met, others] : [met]) {
      total.all += tally.met?.all ?? 0;
      total.lately += tally.met?.lately ?? 0;
    }
  }
  const earlier = bounds(others.all - others.lately, met.all - met.lately, Z_ONE_SIDED_97_7).upper;
  return bounds(others.lately, met.lately, Z_ONE_SIDED_97_7).lower > Math.max(earlier, MIN_OTHERS);
}

function computeControl(stratum: Stratum, tallies: Tallies): Control {
  const age = stratum.age ?? 0;
  const counted = Object.entries(tallies).map(([name, tally]) => ({ at: parseStratum(name), tally }));
  const isAsYoung = ({ at }: Counted) => at.age !== undefined && at.age >= age;
  const found = pools(stratum, counted);
  const learnt = found.map((pool) =>
    upperBound(countIn(pool.filter(({ at }) => isMadeAt(at, stratum))).wrong, countIn(pool).returned),
  );
  return {
    bound: Math.min(...learnt),
    isAlarmed: wentWrongLately(stratum, counted),
    areOthersArriving: areOthersArriving(counted),
    odds: Math.max(...found.map((pool) => oddsOf(countIn(pool.filter(isAsYoung))))),
  };
}

/** Computed controls. A process keeps a workspace's tallies until they are counted again. */
const computed = new WeakMap<Tallies, Map<string, Control>>();

/** What is known about links in a stratum. Links to machines known longer are opened first. */
export function controlOf(stratum: Stratum, tallies: Tallies): Control {
  const controls = computed.get(tallies) ?? new Map<string, Control>();
  const name = stratumName(stratum);
  const control = controls.get(name) ?? computeControl(stratum, tallies);
  computed.set(tallies, controls.set(name, control));
  return control;
}
