/** Visits of one kind in consecutive hours, the newest last. */
export type HourlyCounts = { kind: string; counts: readonly number[] };

/** Hours that follow each other in which there were far more visits of a kind than usual. */
export type Burst = {
  kind: string;
  /** Index of its first hour, and of the one after its last. */
  from: number;
  to: number;
  visits: number;
  /** Visits that the same hours usually have. */
  usual: number;
  /** How many standard deviations above: what bursts are ordered by. */
  distance: number;
};

const WEEK_HOURS = 168;
/** Fewer say nothing, however unusual they are. */
const MIN_VISITS = 5;
const DEVIATIONS = 5;
/** Part of the usual number by which ordinary days differ. */
const SPREAD = 0.25;
/** Variance of hours that are nearly always empty. */
const MIN_VARIANCE = 0.25;
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** What an hour usually has: the same hour of earlier weeks, with those beside it, and no less than any hour has. */
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

/** An hour that is unusual, or raised: with more than twice as many as usual, as those beside an unusual one often are. */
function judge(counts: readonly number[], hour: number, firstHour: number, recent: number): Hour {
  const visits = counts[hour] ?? 0;
  const usual = usualOf(counts, hour, firstHour, recent);
  const distance = (visits - usual) / Math.sqrt(usual + (SPREAD * usual) ** 2 + MIN_VARIANCE);
  const isUnusual = visits >= MIN_VISITS && distance > DEVIATIONS;
  return { visits, usual, distance, isUnusual, isRaised: isUnusual || visits > 2 * usual + 0.5 };
}

/** Consecutive raised hours of which at least one is unusual. */
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
 * Bursts among the newest `recent` hours, the most unusual first. `firstHour` is the first hour in which the workspace
 * had visits: with less than a day before the newest hours nothing is known to be usual.
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
