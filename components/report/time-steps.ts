import { instantOf, wallClock } from "@/components/ui/zone";

/** Length of a chart bar. A day is a calendar day of the viewer, so it can have 23 or 25 hours. */
export type Step = "hour" | "quarter" | "day" | "week";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS: Record<Step, number> = { hour: HOUR_MS, quarter: 6 * HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
/** Weeks start on Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

function floorWall(wall: Date, step: Step): number {
  const origin = step === "week" ? FIRST_MONDAY_MS : 0;
  return Math.floor((wall.getTime() - origin) / STEP_MS[step]) * STEP_MS[step] + origin;
}

const longEnough = (from: Date, to: Date): Step => {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days <= 2) return "hour";
  if (days <= 14) return "quarter";
  return days <= 120 ? "day" : "week";
};

/** Start times of the steps that cover `from` to `to`; the first is `from` itself. */
export function stepsBetween(from: Date, to: Date, zone: string): { step: Step; starts: Date[] } {
  const step = longEnough(from, to);
  const starts = [from];
  let wall = floorWall(wallClock(from, zone), step);
  for (;;) {
    wall += STEP_MS[step];
    const start = instantOf(new Date(wall), zone);
    if (start >= to) return { step, starts };
    if (start > (starts.at(-1) ?? from)) starts.push(start);
  }
}

/** The last `count` whole steps in the local time of `zone`, including the current one. */
export function lastSteps(
  count: number,
  step: Step,
  now: Date,
  zone: string,
): { from: Date; to: Date; starts: Date[] } {
  const newest = floorWall(wallClock(now, zone), step);
  const edges = Array.from({ length: count + 1 }, (_, index) =>
    instantOf(new Date(newest + (index + 1 - count) * STEP_MS[step]), zone),
  ).filter((edge, index, all) => index === 0 || edge > (all[index - 1] ?? edge));
  const [from = now, ...rest] = edges;
  const to = rest.pop() ?? now;
  return { from, to, starts: [from, ...rest] };
}

/** A range that covers all stored visits, for lists that have an index by their subject. */
export const allOfIt = (now: Date): { from: Date; to: Date } => ({
  from: new Date(0),
  to: new Date(now.getTime() + DAY_MS),
});
