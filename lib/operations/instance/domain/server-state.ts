import { type CheckResult, fail, ok, warn } from "./check-result";

/** Far longer than this service's transactions, which end within ten seconds. */
const OPEN_SECONDS = 60;

export type ServerState = {
  fsync: string;
  synchronous_commit: string;
  full_page_writes: string;
  autovacuum: string;
  track_counts: string;
  is_standby: boolean;
  is_read_only: boolean;
  oldest_transaction_seconds: number;
  /** Whether transactions of other roles were visible. */
  sees_all_sessions: boolean;
  prepared_transactions: number;
  idle_slots: string;
  /** A decimal string, as the driver returns numeric. */
  slot_bytes: string;
};

function assessSafety({ fsync, synchronous_commit: commit, full_page_writes: pages }: ServerState): CheckResult {
  const name = "durability";
  const off = [
    ...(fsync === "off" ? ["fsync"] : []),
    ...(pages === "off" ? ["full_page_writes"] : []),
    ...(commit === "off" ? ["synchronous_commit"] : []),
  ];
  if (off.length === 0) return ok(name, "Acknowledged writes survive a power failure.");
  return fail(
    name,
    `${off.join(" and ")} ${off.length === 1 ? "is" : "are"} off: a crash of the database machine loses acknowledged writes.`,
    `Set ${off.map((setting) => `${setting} = on`).join(", ")} on the server, for the role and for the database.`,
  );
}

function assessVacuum({ autovacuum, track_counts: counts }: ServerState): CheckResult {
  const name = "vacuum";
  const off = [...(autovacuum === "off" ? ["autovacuum"] : []), ...(counts === "off" ? ["track_counts"] : [])];
  if (off.length === 0) return ok(name, "Dead rows are removed automatically.");
  const text = `${off.join(" and ")} is off: tables and indexes grow without end.`;
  return fail(name, text, `Set ${off.map((setting) => `${setting} = on`).join(", ")} on the server.`);
}

function assessTransactions({
  oldest_transaction_seconds: seconds,
  sees_all_sessions: seesAll,
  prepared_transactions: prepared,
}: ServerState): CheckResult {
  const name = "transactions";
  if (prepared > 0) {
    const text = `${prepared} prepared transaction${prepared === 1 ? " is" : "s are"} neither committed nor rolled back.`;
    return warn(name, text, "See pg_prepared_xacts; they hold vacuum and locks.");
  }
  if (seconds <= OPEN_SECONDS) {
    const text = seesAll
      ? "No transaction has been open for long."
      : "No transaction of the service's role has been open for long; others are seen once it has pg_read_all_stats.";
    return ok(name, text);
  }
  return warn(
    name,
    `A transaction has been open for ${Math.round(seconds)} s; vacuum cannot remove rows that it may still see.`,
    "See pg_stat_activity by xact_start, and end it with pg_terminate_backend.",
  );
}

function assessSlots({ idle_slots: slots, slot_bytes: bytes }: ServerState): CheckResult {
  const name = "replication-slots";
  if (slots === "") return ok(name, "No replication slot is without a reader.");
  const kept = `${(Number(bytes) / 1e9).toFixed(1)} GB`;
  const text = `Nobody reads the replication slots ${slots}: they retain ${kept} of write-ahead log, and more every hour.`;
  return warn(name, text, "Start their reader, or drop them: select pg_drop_replication_slot('NAME').");
}

/** Assesses the server's settings and state for this service. */
export const assessServer = (state: ServerState): CheckResult[] => [
  assessSafety(state),
  assessVacuum(state),
  assessTransactions(state),
  assessSlots(state),
];

/** Whether the database accepts writes, judged by its state and the error code of an attempted write. */
export function assessWrites(
  { is_standby: isStandby, is_read_only: isReadOnly }: ServerState,
  code: string | undefined,
): CheckResult {
  const name = "writes";
  if (isStandby) return fail(name, "The database is a standby.", "Set DATABASE_URL to the primary.");
  if (isReadOnly || code === "25006") {
    const fix = "alter database … set default_transaction_read_only = off, then find out why it was set.";
    return fail(name, "The database is read-only.", fix);
  }
  if (code === "53100") {
    const fix = "Free space or enlarge the disk; the service then continues by itself.";
    return fail(name, "The disk of the database is full.", fix);
  }
  if (code !== undefined) return fail(name, `The database refuses a write (${code}).`, "Its log says why.");
  return ok(name, "The database accepts writes.");
}
