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
const LEAST_VISITS = 5;
const DEVIATIONS = 5;
/** Part of the usual number by which ordinary days differ. */
const SPREAD = 0.25;
/** Variance of hours that are nearly always empty. */
const LEAST_VARIANCE = 0.25;
/** Hours this close to an unusual one belong to it while they have twice as many as usual. */
const GAP_HOURS = 2;

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

/**
 * Bursts among the newest `recent` hours, the most unusual first. `firstHour` is the first hour in which the workspace
 * had visits: with less than a day before the newest hours nothing is known to be usual.
 */
export function findBursts(
  kinds: readonly HourlyCounts[],
  { recent, firstHour }: { recent: number; firstHour: number },
) {
  const bursts: Burst[] = [];
  for (const { kind, counts } of kinds) {
    const start = counts.length - recent;
    if (start - firstHour < 24) continue;
    let open: (Burst & { last: number }) | undefined;
    for (let hour = start; hour < counts.length; hour += 1) {
      const visits = counts[hour] ?? 0;
      const usual = usualOf(counts, hour, firstHour, recent);
      const distance = (visits - usual) / Math.sqrt(usual + (SPREAD * usual) ** 2 + LEAST_VARIANCE);
      const isUnusual = visits >= LEAST_VISITS && distance > DEVIATIONS;
      const continues = open !== undefined && hour - open.last <= GAP_HOURS && visits > 2 * usual + 1;
      if (!isUnusual && !continues) continue;
      if (open && hour - open.last <= GAP_HOURS) {
        open.to = hour + 1;
        open.last = hour;
        open.usual += usual;
        open.distance = Math.max(open.distance, distance);
      } else {
        open = { kind, from: hour, to: hour + 1, visits, usual, distance, last: hour };
        bursts.push(open);
      }
      // All of its hours, so that it says what a list of them shows.
      open.visits = counts.slice(open.from, open.to).reduce((sum, count) => sum + count, 0);
    }
  }
  return bursts
    .map(({ kind, from, to, visits, usual, distance }): Burst => ({ kind, from, to, visits, usual, distance }))
    .sort((a, b) => b.distance - a.distance);
}
