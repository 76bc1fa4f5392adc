type Kept = { retentionDays: number | null; keptDays: number };

/** Retention of visits in words: a workspace's own is applied per visit, the instance's by dropping months. */
export function retentionText({ retentionDays, keptDays }: Kept): string {
  const days = `${keptDays} day${keptDays === 1 ? "" : "s"}`;
  return retentionDays === null ? `${days}, then dropped by whole months` : `${days}, then deleted within the hour`;
}
