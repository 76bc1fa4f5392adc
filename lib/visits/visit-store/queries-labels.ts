import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { executeFor } from "@/db/prepared";
import { eventIdFloor } from "@/db/partitions";
import type { Label, LabelSubject } from "@/lib/contract/labels";
import { uuidToId } from "@/lib/contract/ids";
import { linkById, visitById } from "./queries-by-id";
import { instantOf, milliseconds, uuid, uuids } from "./queries-parts";

/** A visit, device or account, by id. */
export type Subject = { workspaceId: string; kind: LabelSubject; id: string };

const ID_KINDS = { visit: "imprint", device: "device", account: "account" } as const;

const ofSubject = ({ workspaceId, kind, id }: Subject): SQL =>
  sql`workspace_id = ${uuid(workspaceId)} and subject_kind = ${kind} and subject_id = ${uuid(id)}`;

/** The account hash as stored in `account_links` and `device_accounts`. */
const hashOf = (accountUuid: SQL): SQL => sql`decode(replace(${accountUuid}::text, '-', ''), 'hex')`;

const EXISTS: Record<LabelSubject, (subject: Subject) => SQL> = {
  visit: ({ workspaceId, id }) =>
    sql`select 1 from visits where workspace_id = ${uuid(workspaceId)} and event_id = ${uuid(id)}`,
  device: ({ workspaceId, id }) =>
    sql`select 1 from devices where workspace_id = ${uuid(workspaceId)} and device_id = ${uuid(id)}`,
  account: ({ workspaceId, id }) => sql`select 1 from device_accounts
    where workspace_id = ${uuid(workspaceId)} and account_hash = ${hashOf(uuid(id))} limit 1`,
};

type Row = { label: Label; actor_kind: string; created_by: string; created_ms: string };
type LabelRow = Row & { subject_kind: LabelSubject; subject_id: string };

const COLUMNS = sql`subject_kind, subject_id, label, actor_kind, created_by, ${milliseconds(sql`created_at`)} as created_ms`;

export type StoredLabel = {
  kind: LabelSubject;
  id: string;
  label: Label;
  actorKind: string;
  createdBy: string;
  createdAt: Date;
};

const toLabel = (row: LabelRow): StoredLabel => ({
  kind: row.subject_kind,
  id: uuidToId(ID_KINDS[row.subject_kind], row.subject_id),
  label: row.label,
  actorKind: row.actor_kind,
  createdBy: row.created_by,
  createdAt: instantOf(row.created_ms),
});

/** Reads a subject's label and locks it until the transaction ends. */
export async function lockLabel(tx: Db, subject: Subject): Promise<Label | undefined> {
  const [row] = await tx.execute<{ label: Label }>(
    sql`select label from labels where ${ofSubject(subject)} for update`,
  );
  return row?.label;
}

/** Sets the label of a subject. Undefined if the subject does not exist. */
export async function storeLabel(
  tx: Db,
  subject: Subject,
  label: Label,
  by: { actorKind: string; createdBy: string },
): Promise<Date | undefined> {
  const stored = sql`
    insert into labels (workspace_id, subject_kind, subject_id, label, actor_kind, created_by)
    select ${uuid(subject.workspaceId)}, ${subject.kind}, ${uuid(subject.id)}, ${label}, ${by.actorKind}, ${by.createdBy}
    where exists (${EXISTS[subject.kind](subject)})
    on conflict (workspace_id, subject_kind, subject_id) do update
    set label = excluded.label, actor_kind = excluded.actor_kind, created_by = excluded.created_by, created_at = now()
    returning ${milliseconds(sql`created_at`)} as created_ms`;
  const [row] = await executeFor<{ created_ms: string }>(tx, subject.workspaceId, stored);
  return row && instantOf(row.created_ms);
}

export async function removeLabel(tx: Db, subject: Subject): Promise<void> {
  await tx.execute(sql`delete from labels where ${ofSubject(subject)}`);
}

export async function hasSubject(db: Db, subject: Subject): Promise<boolean> {
  return (await db.execute(EXISTS[subject.kind](subject))).length > 0;
}

/** The labels of the given subjects, in no particular order. */
export async function findLabels(db: Db, subjects: readonly Subject[]): Promise<StoredLabel[]> {
  const [first] = subjects;
  if (!first) return [];
  const kinds = `{${subjects.map(({ kind }) => kind).join()}}`;
  const rows = await db.execute<LabelRow>(sql`
    select ${COLUMNS} from labels where workspace_id = ${uuid(first.workspaceId)}
      and (subject_kind, subject_id) in (select * from unnest(${kinds}::text[], ${uuids(subjects.map(({ id }) => id))}))`);
  return rows.map(toLabel);
}

export type LabelPosition = { createdAt: string; id: string };

/** Lists labels of a workspace, newest first. */
export async function listLabelRows(
  db: Db,
  { workspaceId, label, kind, before, limit }: LabelFilter & { before: LabelPosition | undefined; limit: number },
) {
  const rows = await db.execute<LabelRow & { position: string }>(sql`
    select ${COLUMNS}, created_at::text as position from labels
    where workspace_id = ${uuid(workspaceId)}
      ${label === undefined ? sql`` : sql`and label = ${label}`}
      ${kind === undefined ? sql`` : sql`and subject_kind = ${kind}`}
      ${before === undefined ? sql`` : sql`and (created_at, subject_id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`}
    order by created_at desc, subject_id desc limit ${limit}`);
  return rows.map((row) => ({ ...toLabel(row), position: { createdAt: row.position, id: row.subject_id } }));
}

export type LabelFilter = { workspaceId: string; label?: Label | undefined; kind?: LabelSubject | undefined };

/** Counts labels by label and kind of subject. */
export async function countLabelRows(db: Db, workspaceId: string) {
  return [
    ...(await db.execute<{ label: Label; kind: LabelSubject; count: number }>(sql`
      select label, subject_kind as kind, count(*)::int as count from labels
      where workspace_id = ${uuid(workspaceId)} group by 1, 2`)),
  ];
}

/** The effective labels of visits by imprint: the visit's own, else its account's, else its device's. */
export async function findVisitLabels(
  db: Db,
  workspaceId: string,
  imprints: readonly string[],
): Promise<Map<string, Label>> {
  const workspace = uuid(workspaceId);
  const rows = await db.execute<{ event_id: string; label: Label }>(sql`
    select v.event_id, coalesce(own.label, of_account.label, of_device.label) as label
    from unnest(${uuids(imprints)}) asked (event_id)
    ${visitById(workspace, sql`asked.event_id`)}
    left join labels own on own.workspace_id = ${workspace} and own.subject_kind = 'visit' and own.subject_id = v.event_id
    left join labels of_device on of_device.workspace_id = ${workspace} and of_device.subject_kind = 'device'
      and of_device.subject_id = v.device_id
    ${linkById(workspace, sql`asked.event_id`)}
    left join labels of_account on of_account.workspace_id = ${workspace} and of_account.subject_kind = 'account'
      and of_account.subject_id = encode(l.account_hash, 'hex')::uuid
    where coalesce(own.label, of_account.label, of_device.label) is not null`);
  return new Map(rows.map((row) => [uuidToId("imprint", row.event_id), row.label]));
}

/** Maximum number of visits read for one labelled device or account, so that a busy one does not dominate. */
const VISITS_OF_SUBJECT = 200;
/** Maximum number of labels read, newest first. */
const MAX_LABELS = 5_000;

/**
 * Labelled visits between two times with their effective label: the visit's own, else its account's, else its device's.
 */
export const labelledVisits = (workspaceId: string, from: Date, to: Date): SQL => {
  const workspace = uuid(workspaceId);
  const within = (column: string) => sql`
    ${sql.raw(column)} >= ${eventIdFloor(from)}::uuid and ${sql.raw(column)} < ${eventIdFloor(to)}::uuid`;
  const newest = (kind: LabelSubject) => sql`(select subject_id, label from labels
    where workspace_id = ${workspace} and subject_kind = ${kind} order by created_at desc limit ${MAX_LABELS})`;
  return sql`
    select distinct on (event_id) event_id, label from (
      select subject_id as event_id, label, 1 as rank from labels
      where workspace_id = ${workspace} and subject_kind = 'visit' and ${within("subject_id")}
      union all
      select l.event_id, a.label, 2 from ${newest("account")} a, lateral (
        select event_id from account_links where workspace_id = ${workspace}
          and account_hash = ${hashOf(sql`a.subject_id`)} and ${within("event_id")}
        order by recorded_at desc limit ${VISITS_OF_SUBJECT}) l
      union all
      select v.event_id, d.label, 3 from ${newest("device")} d, lateral (
        select event_id from visits where workspace_id = ${workspace} and device_id = d.subject_id and ${within("event_id")}
        order by recorded_at desc limit ${VISITS_OF_SUBJECT}) v
    ) every_label order by event_id, rank`;
};

/**
 * Deletes a batch of labels of a workspace's visits before `to`, as the visits are not kept either.
 *
 * @returns number of labels deleted
 */
export async function deleteVisitLabelsBefore(
  db: Db,
  { workspaceId, to, limit }: { workspaceId: string; to: Date; limit: number },
): Promise<number> {
  const old = sql`workspace_id = ${uuid(workspaceId)} and subject_kind = 'visit' and subject_id < ${eventIdFloor(to)}::uuid`;
  const rows = await db.execute(sql`
    delete from labels where ${old} and subject_id = any (array(
      select subject_id from labels where ${old} order by subject_id limit ${limit})) returning 1`);
  return rows.length;
}

/** CTE for statements that delete the labelled subjects. */
export const deleteLabelsOf = (kind: LabelSubject, workspace: SQL, ids: SQL): SQL => sql`
  delete from labels where workspace_id = ${workspace} and subject_kind = ${kind} and subject_id = any (array(${ids}))`;
