type Kept = { retentionDays: number | null; keptDays: number };

/** For how long visits are kept, and how exactly: what a workspace chose is deleted by the visit, the rest by the month. */
export function keptText({ retentionDays, keptDays }: Kept): string {
  const days = `${keptDays} day${keptDays === 1 ? "" : "s"}`;
  return retentionDays === null ? `${days}, then dropped by whole months` : `${days}, then deleted within the hour`;
}
