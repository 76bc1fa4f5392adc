export const CONDITIONS = ["number", "history"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Weeks whose same hours are compared with. */
export const HISTORY_WEEKS = 4;
/** Below so many visits nothing is unusual: one visit is not twice as many as none. */
const MIN_VISITS = 10;
/** Standard deviations of a count that varies by chance alone. */
const DEVIATIONS = 3;
/** An incident ends when the visits are well below the limit, so that a number around it makes one incident. */
const CALM_SHARE = 0.8;

/**
 * The number of visits beyond which an alert is raised. By history it is `threshold` per cent of the mean of the same
 * hours of earlier weeks, and at least what chance makes of that mean. Nothing without any earlier week to compare with.
 *
 * @param earlier visits within the same window of each earlier week, for those weeks in which the workspace had any
 */
export function limitOf(condition: Condition, threshold: number, earlier: readonly number[]): number | undefined {
  if (condition === "number") return threshold;
  if (earlier.length === 0) return undefined;
  const mean = earlier.reduce((sum, visits) => sum + visits, 0) / earlier.length;
  return Math.ceil(Math.max(MIN_VISITS, (mean * threshold) / 100, mean + DEVIATIONS * Math.sqrt(mean)));
}

export type Step = "opens" | "goes on" | "ends" | "none";

export function stepOf(isOpen: boolean, visits: number, limit: number): Step {
  if (visits > limit) return isOpen ? "goes on" : "opens";
  if (!isOpen) return "none";
  return visits <= limit * CALM_SHARE ? "ends" : "goes on";
}
