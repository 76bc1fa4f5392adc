export const CONDITIONS = ["number", "history"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Number of earlier weeks whose same hours are compared. */
export const HISTORY_WEEKS = 4;
/** Minimum limit, since small numbers are never unusual: one visit is infinitely more than none. */
const MIN_VISITS = 10;
/** Standard deviations of a count that varies only by chance. */
const DEVIATIONS = 3;
/**
 * An incident ends when the visits are well below the limit, so that a number fluctuating around it makes only one
 * incident.
 */
const CALM_SHARE = 0.8;

/**
 * Number of visits above which an alert is raised. For `history` it is `threshold` percent of the mean of the same
 * hours of earlier weeks, and at least what that mean can vary by chance. Undefined without any earlier week to compare
 * with.
 * @param earlier visits within the same window of each earlier week, for those weeks in which the workspace had any
 */
export function limitOf(condition: Condition, threshold: number, earlier: readonly number[]): number | undefined {
  if (condition === "number") return threshold;
  if (earlier.length === 0) return undefined;
  const mean = earlier.reduce((sum, visits) => sum + visits, 0) / earlier.length;
  return Math.ceil(Math.max(MIN_VISITS, (mean * threshold) / 100, mean + DEVIATIONS * Math.sqrt(mean)));
}

export type Step = "opens" | "continues" | "ends" | "none";

export function stepOf(isOpen: boolean, visits: number, limit: number): Step {
  if (visits > limit) return isOpen ? "continues" : "opens";
  if (!isOpen) return "none";
  return visits <= limit * CALM_SHARE ? "ends" : "continues";
}
