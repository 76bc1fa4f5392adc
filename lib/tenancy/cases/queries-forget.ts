import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import type { ItemKind } from "./domain/case";

const inWorkspace = (workspaceId: string): SQL => sql`workspace_id = ${idToUuid(workspaceId)}::uuid`;

/** The erased values, and the number of rows in the table with more of them, to tell whether a batch was full. */
export type Forgotten = { values: string[]; rows: number };

/** Deletes items from their cases and blanks them in the cases' histories. */
async function forgetWhere(
  tx: Db,
  workspaceId: string,
  { items, entries, limit }: { items: SQL; entries: SQL; limit?: number },
): Promise<Forgotten> {
  const within = inWorkspace(workspaceId);
  const some = limit === undefined ? sql`` : sql` limit ${limit}`;
  const rows = await tx.execute<{ value: string; is_item: boolean }>(sql`
    with items as (
      delete from case_items where ${within} and (case_id, kind, value) in (
        select case_id, kind, value from case_items where ${within} and ${items}${some}) returning value
    ), found as (
      select case_id, at, entry_id, item_value from case_entries where ${within} and ${entries}${some} for update
    ), emptied as (
      update case_entries set item_value = null, device_id = null
      where ${within} and (case_id, at, entry_id) in (select case_id, at, entry_id from found)
    )
    select value, true as is_item from items union all select coalesce(item_value, ''), false from found`);
  const ofItems = rows.filter((row) => row.is_item).length;
  const values = [...new Set(rows.map(({ value }) => value).filter((value) => value !== ""))];
  return { values, rows: Math.max(ofItems, rows.length - ofItems) };
}

/** Erases a device and its visits. */
export const forgetDeviceItems = (tx: Db, workspaceId: string, deviceId: string): Promise<Forgotten> => {
  const ofDevice = sql`device_id = ${idToUuid(deviceId)}::uuid`;
  return forgetWhere(tx, workspaceId, { items: ofDevice, entries: ofDevice });
};

/** Erases one value. */
export const forgetValue = (tx: Db, workspaceId: string, kind: ItemKind, value: string): Promise<Forgotten> =>
  forgetWhere(tx, workspaceId, {
    items: sql`kind = ${kind} and value = ${value}`,
    entries: sql`item_kind = ${kind} and item_value = ${value}`,
  });

/** Erases one batch of visits older than `firstImprint`. */
export const forgetVisitsBefore = (tx: Db, workspaceId: string, firstImprint: string, limit: number) =>
  forgetWhere(tx, workspaceId, {
    items: sql`kind = 'visit' and value < ${firstImprint}`,
    entries: sql`item_kind = 'visit' and item_value < ${firstImprint}`,
    limit,
  });

/** Erases one batch of IP addresses added before an instant. */
export const forgetAddressesBefore = (tx: Db, workspaceId: string, before: Date, limit: number) => {
  const at = sql`${before.toISOString()}::timestamptz`;
  return forgetWhere(tx, workspaceId, {
    items: sql`kind = 'address' and added_at < ${at}`,
    entries: sql`item_kind = 'address' and item_value is not null and at < ${at}`,
    limit,
  });
};

/** Placeholder for erased words. */
const ERASED = "[erased]";

/** Replaces all matches of a regular expression in the free text of a workspace's cases. */
export async function redactTexts(tx: Db, workspaceId: string, pattern: string): Promise<void> {
  const changed = (column: SQL) => sql`regexp_replace(${column}, ${pattern}, ${ERASED}, 'g')`;
  const [name, note, text, former] = [sql`name`, sql`note`, sql`text`, sql`former`];
  await tx.execute(sql`
    update cases set name = ${changed(name)} where ${inWorkspace(workspaceId)} and name ~ ${pattern}`);
  await tx.execute(sql`
    update case_items set note = ${changed(note)} where ${inWorkspace(workspaceId)} and note ~ ${pattern}`);
  await tx.execute(sql`
    update case_entries set text = ${changed(text)}, former = ${changed(former)}
    where ${inWorkspace(workspaceId)} and (text ~ ${pattern} or former ~ ${pattern})`);
}
