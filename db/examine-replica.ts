import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";
import type postgres from "postgres";

import { connectPool, type Db } from "./client";

export type ReplicaExamination =
  | { kind: "follows"; lagMs: number }
  | { kind: "behind"; waitedMs: number }
  /** Not a standby. */
  | { kind: "primary" }
  /** A standby of another server. */
  | { kind: "foreign" }
  | { kind: "away"; error: unknown };

const NAME = "replica-examination";
const POLL_MS = 50;

type Server = { system: string; is_standby: boolean };
const IDENTITY = "select system_identifier::text as system, pg_is_in_recovery() as is_standby from pg_control_system()";

async function waitForNote(reader: postgres.Sql, value: string, waitMs: number): Promise<ReplicaExamination> {
  const startedAt = performance.now();
  for (;;) {
    const [row] = await reader<{ value: string }[]>`
      select noted_at::text as value from instance_notes where name = ${NAME}`;
    const waitedMs = performance.now() - startedAt;
    if (row?.value === value) return { kind: "follows", lagMs: waitedMs };
    if (waitedMs > waitMs) return { kind: "behind", waitedMs };
    await delay(POLL_MS);
  }
}

/** Writes to the primary, then waits until the server at `url` shows what was written. */
export async function examineReplica(db: Db, url: string, waitMs: number): Promise<ReplicaExamination> {
  const reader = connectPool({
    url,
    poolSize: 1,
    prepare: false,
    applicationName: "imprint-doctor",
    hasSettings: false,
  });
  try {
    const [own] = await db.execute<Server>(sql.raw(IDENTITY));
    const [other] = await reader.unsafe<Server[]>(IDENTITY);
    if (own?.system !== other?.system) return { kind: "foreign" };
    if (other?.is_standby !== true) return { kind: "primary" };
    const [written] = await db.execute<{ value: string }>(sql`
      insert into instance_notes (name, noted_at) values (${NAME}, clock_timestamp())
      on conflict (name) do update set noted_at = excluded.noted_at returning noted_at::text as value`);
    return await waitForNote(reader, written?.value ?? "", waitMs);
  } catch (error) {
    return { kind: "away", error };
  } finally {
    reader.end({ timeout: 1 }).catch(() => undefined);
  }
}
