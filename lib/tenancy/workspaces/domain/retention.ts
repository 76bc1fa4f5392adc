/** Less would take visits out of the day that a Report's activity counts. */
export const LEAST_RETENTION_DAYS = 2;

/** Days for which a workspace keeps its visits: its own number, never longer than the instance keeps any. */
export const keptDays = (ownDays: number | null, instanceDays: number): number =>
  Math.min(ownDays ?? instanceDays, instanceDays);

/** Whether a workspace may choose that number of days. */
export const isRetention = (days: number, instanceDays: number): boolean =>
  Number.isInteger(days) && days >= LEAST_RETENTION_DAYS && days <= instanceDays;
