/** A shorter retention would delete visits within the 24 hours of a Report's activity. */
export const MIN_RETENTION_DAYS = 2;

/** The workspace's own retention, capped by the instance's. */
export const keptDays = (ownDays: number | null, instanceDays: number): number =>
  Math.min(ownDays ?? instanceDays, instanceDays);

export const isRetention = (days: number, instanceDays: number): boolean =>
  Number.isInteger(days) && days >= MIN_RETENTION_DAYS && days <= instanceDays;
