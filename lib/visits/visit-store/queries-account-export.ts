import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import type { Account } from "./queries-accounts";
import { isoInstant, uuid } from "./queries-parts";

const ofAccount = ({ workspaceId, hash }: Account) =>
  sql`workspace_id = ${uuid(workspaceId)} and account_hash = ${Buffer.from(hash)}::bytea`;

/** The devices of an account, in the order in which it appeared on them. */
export async function listAccountDevices(db: Db, account: Account) {
  const rows = await db.execute<{ device_id: string; first_recorded: string }>(sql`
    select device_id, ${isoInstant("first_recorded_at")} as first_recorded
    from device_accounts where ${ofAccount(account)} order by first_recorded_at, first_event_id`);
  return [...rows];
}

/** The visits that an account was named with, oldest first. */
export async function listAccountVisits(db: Db, account: Account, limit: number) {
  const rows = await db.execute<{ event_id: string; device_id: string; recorded: string }>(sql`
    select event_id, device_id, ${isoInstant("recorded_at")} as recorded
    from account_links where ${ofAccount(account)} order by recorded_at, event_id limit ${limit}`);
  return [...rows];
}
