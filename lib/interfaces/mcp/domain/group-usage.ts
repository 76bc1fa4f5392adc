export const GRANULARITIES = ["day", "week", "month"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

type Count<Outcome extends string> = { units: number; calls: number; outcomes: Partial<Record<Outcome, number>> };
type Period<Outcome extends string> = { from: string; to: string } & Count<Outcome>;

const DAYS_A_WEEK = 7;

/** The Monday of a day's week (UTC). */
function mondayOf(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK));
  return at.toISOString();
}

const KEYS: Record<Granularity, (date: string) => string> = {
  day: (date) => date,
  week: mondayOf,
  month: (date) => date.slice(0, "2026-01".length),
};

/**
 * Groups the days of a range, given in order, into periods. The range may cut the first and last one; periods without
 * units and calls are left out.
 */
export function groupUsage<Outcome extends string>(
  days: readonly ({ date: string } & Count<Outcome>)[],
  granularity: Granularity,
): Period<Outcome>[] {
  const periods = new Map<string, Period<Outcome>>();
  for (const { date, units, calls, outcomes } of days) {
    const key = KEYS[granularity](date);
    const period: Period<Outcome> = periods.get(key) ?? { from: date, to: date, units: 0, calls: 0, outcomes: {} };
    period.to = date;
    period.units += units;
    period.calls += calls;
    for (const [outcome, count] of Object.entries(outcomes) as [Outcome, number][])
      period.outcomes[outcome] = (period.outcomes[outcome] ?? 0) + count;
    periods.set(key, period);
  }
  return [...periods.values()].filter(({ units, calls }) => units > 0 || calls > 0);
}
