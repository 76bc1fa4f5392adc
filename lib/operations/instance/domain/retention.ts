/** Tables kept by whole months with the visits; by whole days; with their devices; for at most a month. */
const BY_MONTH = ["visits", "report_deliveries", "account_links", "visit_rules"];
const SIGNALS = "visit_signals";
const OF_DEVICES = [
  "devices",
  "device_tokens",
  "device_profiles",
  "device_addresses",
  "device_accounts",
  "network_tokens",
];
const PAYLOADS = "payload_sightings";

/** Maximum age and number of digests kept per workspace. */
const PAYLOAD_DAYS = 30;
const PAYLOAD_ROWS = 500_000;
/** A month is dropped once its last visit has expired, so its first visits are kept this much longer. */
const MONTH_DAYS = 31;

/** A table with fewer rows is mostly empty pages, so row sizes are assumed as measured by `npm run bench:storage`. */
const MIN_ROWS = 1_000;
const ASSUMED = { visit: 1_640, signals: 500, device: 2_050, payload: 360 };

type TableSize = { table: string; name: string; bytes: number; rows: number };

export type Measured = {
  tables: readonly TableSize[];
  /** Over all workspaces. */
  visitsPerDay: number;
  /** Age of the oldest stored visit. */
  ageDays: number;
  /** Share of the newest visits that were the first of their device. */
  newShare: number;
  workspaces: number;
};
export type Retention = { retentionDays: number; signalsRetentionDays: number };

const sum = (sizes: readonly TableSize[], kind: "bytes" | "rows") => sizes.reduce((all, each) => all + each[kind], 0);
const bytesOfRow = (bytes: number, rows: number, assumed: number) => (rows < MIN_ROWS ? assumed : bytes / rows);

/**
 * Measured on the newest month with enough visits; older ones may have been stored by an earlier version or partly
 * deleted.
 */
function bytesOfVisit(tables: readonly TableSize[]): number {
  const months = tables.filter(({ table, rows }) => table === "visits" && rows >= MIN_ROWS).map(({ name }) => name);
  const month = months.sort().at(-1)?.slice("visits_".length);
  if (month === undefined) return ASSUMED.visit;
  const parts = tables.filter(({ table, name }) => BY_MONTH.includes(table) && name === `${table}_${month}`);
  const visits = parts.find(({ table }) => table === "visits");
  return sum(parts, "bytes") / (visits?.rows ?? MIN_ROWS);
}

/**
 * Number of devices after `days`. New devices become rarer as more are known, by a power derived from the share of new
 * ones among the newest visits. Devices outlive their visits.
 */
function devicesAfter(days: number, known: number, { tables, ageDays, newShare }: Measured): number {
  const visits = sum(
    tables.filter(({ table }) => table === "visits"),
    "rows",
  );
  if (known === 0 || ageDays >= days) return known;
  return known * (days / Math.max(1, ageDays)) ** Math.min(1, (newShare * visits) / known);
}

/** Bytes per visit and its raw signals, and the database's size once the retention is reached. */
export function forecast(
  measured: Measured,
  { retentionDays, signalsRetentionDays }: Retention,
): { visitBytes: number; signalsBytes: number; allBytes: number } {
  const { tables, visitsPerDay, workspaces } = measured;
  // Empty partitions for future days already take up space.
  const isWaiting = ({ table, rows }: TableSize) => table === SIGNALS && rows === 0;
  const of = (...names: string[]) => tables.filter((each) => names.includes(each.table) && !isWaiting(each));
  const bytesIn = (table: string, assumed: number) =>
    bytesOfRow(sum(of(table), "bytes"), sum(of(table), "rows"), assumed);
  const days = retentionDays + MONTH_DAYS;
  const visitBytes = bytesOfVisit(tables);
  const signalsBytes = bytesIn(SIGNALS, ASSUMED.signals);
  const devices = sum(of("devices"), "rows");
  const deviceBytes = bytesOfRow(sum(of(...OF_DEVICES), "bytes"), devices, ASSUMED.device);
  const payloads = Math.min(visitsPerDay * Math.min(PAYLOAD_DAYS, retentionDays), PAYLOAD_ROWS * workspaces);
  const growing = [...BY_MONTH, ...OF_DEVICES, SIGNALS, PAYLOADS];
  const others = tables.filter((each) => !growing.includes(each.table) || isWaiting(each));
  return {
    visitBytes,
    signalsBytes,
    allBytes:
      visitsPerDay * (visitBytes * days + signalsBytes * Math.min(signalsRetentionDays, days)) +
      deviceBytes * devicesAfter(days, devices, measured) +
      payloads * bytesIn(PAYLOADS, ASSUMED.payload) +
      sum(others, "bytes"),
  };
}
