/** Indexes, per-row overhead and free space in pages, as a multiple of the rows themselves. */
const OVERHEAD = 1.6;

type Measured = { visitsPerDay: number; rowBytes: number; signalsBytes: number };
type Retention = { retentionDays: number; signalsRetentionDays: number };

/** Gigabytes that visits take once the retention is reached, at the measured rate. */
export function retainedGigabytes(
  { visitsPerDay, rowBytes, signalsBytes }: Measured,
  { retentionDays, signalsRetentionDays }: Retention,
): number {
  const daysWithSignals = Math.min(signalsRetentionDays, retentionDays);
  const bytesPerVisit = Math.max(0, rowBytes - signalsBytes) * retentionDays + signalsBytes * daysWithSignals;
  return (visitsPerDay * bytesPerVisit * OVERHEAD) / 1e9;
}
