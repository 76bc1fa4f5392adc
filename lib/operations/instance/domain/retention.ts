/**
 * The whole database as a multiple of the visits' own rows: indexes, free space in pages, and what other tables keep of
 * a visit. Taken where too few visits are stored to measure it; docs/benchmarks.md has the tables of one visit.
 */
const OVERHEAD = 2;
const MIN_MEASURED_VISITS = 10_000;
/** A database without visits. */
const EMPTY_BYTES = 16e6;

type Stored = { visits: number; rowBytes: number; databaseBytes: number };
type Measured = { visitsPerDay: number; rowBytes: number; signalsBytes: number; stored: Stored };

function overheadOf({ visits, rowBytes, databaseBytes }: Stored): number {
  if (visits < MIN_MEASURED_VISITS || rowBytes === 0) return OVERHEAD;
  return Math.max(1, (databaseBytes - EMPTY_BYTES) / (visits * rowBytes));
}
type Retention = { retentionDays: number; signalsRetentionDays: number };

/** Gigabytes that visits take once the retention is reached, at the measured rate. */
export function retainedGigabytes(
  { visitsPerDay, rowBytes, signalsBytes, stored }: Measured,
  { retentionDays, signalsRetentionDays }: Retention,
): number {
  const daysWithSignals = Math.min(signalsRetentionDays, retentionDays);
  const bytesPerVisit = Math.max(0, rowBytes - signalsBytes) * retentionDays + signalsBytes * daysWithSignals;
  return (visitsPerDay * bytesPerVisit * overheadOf(stored)) / 1e9;
}
