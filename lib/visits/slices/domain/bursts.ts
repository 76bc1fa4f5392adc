/** Visits of one kind in consecutive hours, newest last. */
export type HourlyCounts = { kind: string; counts: readonly number[] };

/** Consecutive hours with far more visits of a kind than usual. */
export type Burst = {
  kind: string;
  /** Index of the first hour, and of the hour after the last. */
  from: number;
  to: number;
  visits: number;
  /** Usual number of visits in the same hours. */
  usual: number;
  /** Standard deviations above the usual number. Bursts are ordered by this. */
  distance: number;
};

const WEEK_HOURS = 168;
/** Fewer visits are not significant, however unusual they are. */
const MIN_VISITS = 5;
const DEVIATIONS = 5;
/** Normal variation between days, as a share of the usual number. */
const SPREAD = 0.25;
/** Variance assumed for hours that are almost always empty. */
const MIN_VARIANCE = 0.25;
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Usual visits in an hour: the maximum of the means over the same hour of earlier weeks, over that hour and its
 * neighbours, and over all earlier hours.
 */
function usualOf(counts: readonly number[], hour: number, firstHour: number, recent: number): number {
  const same: number[] = [];
  const around: number[] = [];
  for (let at = hour - WEEK_HOURS; at >= firstHour; at -= WEEK_HOURS) {
    same.push(counts[at] ?? 0);
    around.push(...counts.slice(Math.max(firstHour, at - 1), at + 2));
  }
  return Math.max(mean(same), mean(around), mean(counts.slice(firstHour, counts.length - recent)));
}

type Hour = { visits: number; usual: number; distance: number; isUnusual: boolean; isRaised: boolean };

/**
 * Classifies an hour as unusual, or as raised: more than twice the usual number, as is common next to an unusual hour.
 */
function judge(counts: readonly number[], hour: number, firstHour: number, recent: number): Hour {
  const visits = counts[hour] ?? 0;
  const usual = usualOf(counts, hour, firstHour, recent);
  const distance = (visits - usual) / Math.sqrt(usual + (SPREAD * usual) ** 2 + MIN_VARIANCE);
  const isUnusual = visits >= MIN_VISITS && distance > DEVIATIONS;
  return { visits, usual, distance, isUnusual, isRaised: isUnusual || visits > 2 * usual + 0.5 };
}

/** Runs of consecutive raised hours that include at least one unusual hour. */
function burstsOf({ kind, counts }: HourlyCounts, start: number, hours: readonly Hour[]): Burst[] {
  const bursts: Burst[] = [];
  for (let from = 0; from < hours.length; from += 1) {
    let to = from;
    while (hours[to]?.isRaised) to += 1;
    const raised = hours.slice(from, to);
    if (raised.some(({ isUnusual }) => isUnusual))
      bursts.push({
        kind,
        from: start + from,
        to: start + to,
        visits: counts.slice(start + from, start + to).reduce((sum, count) => sum + count, 0),
        usual: raised.reduce((sum, { usual }) => sum + usual, 0),
        distance: Math.max(...raised.map(({ distance }) => distance)),
      });
    from = to;
  }
  return bursts;
}

/**
 * Finds bursts among the newest `recent` hours, most unusual first. `firstHour` is the first hour in which the
 * workspace had visits. Without at least a day before the newest hours there is nothing to compare with.
 */
export function findBursts(
  kinds: readonly HourlyCounts[],
  { recent, firstHour }: { recent: number; firstHour: number },
): Burst[] {
  return kinds
    .flatMap((each) => {
      const start = each.counts.length - recent;
      if (start - firstHour < 24) return [];
      const hours = Array.from({ length: recent }, (_, index) => judge(each.counts, start + index, firstHour, recent));
      return burstsOf(each, start, hours);
    })
    .sort((a, b) => b.distance - a.distance || (a.kind < b.kind ? -1 : 1));
}
