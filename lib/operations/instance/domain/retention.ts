/** Kept by whole months with the visits; by whole days; with their devices; for a month at most. */
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

/** Days and rows for which the digests of a workspace's visits are kept. */
const PAYLOAD_DAYS = 30;
const PAYLOAD_ROWS = 500_000;
/** A month is dropped when its last visit is over: until then its first ones are kept for so much longer. */
const MONTH_DAYS = 31;

/** A table with fewer rows is mostly empty pages: what one of its rows takes is assumed, as `npm run bench:storage` measures it. */
const MIN_ROWS = 1_000;
const ASSUMED = { visit: 1_640, signals: 500, device: 2_050, payload: 360 };

type TableSize = { table: string; name: string; bytes: number; rows: number };

export type Measured = {
  tables: readonly TableSize[];
  /** Of all workspaces. */
  visitsPerDay: number;
  /** Since the first visit that is kept. */
  ageDays: number;
  /** Of the newest visits, the share that was the first of its device. */
  newShare: number;
  workspaces: number;
};
export type Retention = { retentionDays: number; signalsRetentionDays: number };

const sum = (sizes: readonly TableSize[], kind: "bytes" | "rows") => sizes.reduce((all, each) => all + each[kind], 0);
const bytesOfRow = (bytes: number, rows: number, assumed: number) => (rows < MIN_ROWS ? assumed : bytes / rows);

/** The newest month with visits enough: what was stored by an earlier version, or was deleted since, says nothing. */
function bytesOfVisit(tables: readonly TableSize[]): number {
  const months = tables.filter(({ table, rows }) => table === "visits" && rows >= MIN_ROWS).map(({ name }) => name);
  const month = months.sort().at(-1)?.slice("visits_".length);
  if (month === undefined) return ASSUMED.visit;
  const parts = tables.filter(({ table, name }) => BY_MONTH.includes(table) && name === `${table}_${month}`);
  const visits = parts.find(({ table }) => table === "visits");
  return sum(parts, "bytes") / (visits?.rows ?? MIN_ROWS);
}

/**
 * Devices after `days`. New ones become rarer as more are known, by a power of the visits that the newest of them tell;
 * they stay when their visits go.
 */
function devicesAfter(days: number, known: number, { tables, ageDays, newShare }: Measured): number {
  const visits = sum(
    tables.filter(({ table }) => table === "visits"),
    "rows",
  );
  if (known === 0 || ageDays >= days) return known;
  return known * (days / Math.max(1, ageDays)) ** Math.min(1, (newShare * visits) / known);
}

/** Bytes of one visit and its raw signals, and of what the database takes once the retention is reached. */
export function forecast(
  measured: Measured,
  { retentionDays, signalsRetentionDays }: Retention,
): { visitBytes: number; signalsBytes: number; allBytes: number } {
  const { tables, visitsPerDay, workspaces } = measured;
  // A day to come takes its empty files: they are there already.
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
