import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import type { Account } from "./queries";

const ofAccount = ({ workspaceId, hash }: Account) =>
  sql`workspace_id = ${idToUuid(workspaceId)}::uuid and account_hash = ${Buffer.from(hash)}::bytea`;

const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** The devices of an account, in the order in which it appeared on them. */
export async function listAccountDevices(db: Db, account: Account) {
  const rows = await db.execute<{ device_id: string; first_recorded: string }>(sql`
    select device_id, ${instant("first_recorded_at")} as first_recorded
    from device_accounts where ${ofAccount(account)} order by first_recorded_at, first_event_id`);
  return [...rows];
}

/** The visits that an account was named with, oldest first. */
export async function listAccountVisits(db: Db, account: Account, limit: number) {
  const rows = await db.execute<{ event_id: string; device_id: string; recorded: string }>(sql`
    select event_id, device_id, ${instant("recorded_at")} as recorded
    from account_links where ${ofAccount(account)} order by recorded_at, event_id limit ${limit}`);
  return [...rows];
}
