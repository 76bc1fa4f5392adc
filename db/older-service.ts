import { setTimeout as delay } from "node:timers/promises";

import type { TransactionSql } from "postgres";

import { parseAddress } from "./address";

/** `application_name` of the service's connections. */
export const SERVICE_CONNECTIONS = "imprint";
/** A service polls for due jobs every five seconds; a connection kept open only by a pooler is idle for longer. */
const SILENT_SECONDS = 12;
const WAIT_MS = (SILENT_SECONDS + 2) * 1_000;
const POLL_MS = 250;

/** Names of a running service's connections at a URL: in 0.1.0 a name in the URL took precedence. */
export const namesOfService = (url: string): string[] => [
  SERVICE_CONNECTIONS,
  ...Object.entries(parseAddress(url).settings).flatMap(([name, value]) =>
    name === "application_name" ? [value] : [],
  ),
];

/** Counts connections of a running service; this process has none of its own yet. */
async function countConnections(sql: TransactionSql, names: readonly string[]): Promise<number> {
  await sql`select pg_stat_clear_snapshot()`; // otherwise a transaction sees a single snapshot
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where application_name in ${sql(names)} and datname = current_database() and pid <> pg_backend_pid()
      and (state is distinct from 'idle' or state_change > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}))`;
  return row?.count ?? 0;
}

/**
 * Waits until no service uses the database, long enough to rule out idle connections kept by a pooler. Returns whether
 * one still does.
 */
export async function hasOlderService(sql: TransactionSql, url: string, waitMs = WAIT_MS): Promise<boolean> {
  const names = namesOfService(url);
  const endsAt = performance.now() + waitMs;
  while ((await countConnections(sql, names)) > 0) {
    if (performance.now() > endsAt) return true;
    await delay(POLL_MS);
  }
  return false;
}
