import { type SQL, sql } from "drizzle-orm";

import { type Db, violatedConstraint } from "@/db/client";
import { type Statement, statement, type Values } from "@/db/prepared";
import { idToUuid } from "@/lib/contract/ids";

/** Rows over which the units of a period are spread, so that concurrent deliveries rarely lock the same one. */
export const COUNTER_STRIPES = 16;

/** Units included in a plan, per month or in total. */
export type UnitLimit = { reportUnits: number | null; unitPeriod: "month" | "total" };
export type Delivery = {
  workspaceId: string;
  imprint: string;
  webAppId: string;
  keyId: string | undefined;
  /** Hash of the caller's own id for what the Report is accepted for (`Imprint-Acceptance`). */
  acceptanceHash: Buffer | undefined;
};

const workspaceOf = (workspaceId: string) => sql`${idToUuid(workspaceId)}::uuid`;
const periodOf = (unitPeriod: UnitLimit["unitPeriod"]) =>
  unitPeriod === "total" ? sql`'total'` : sql`to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM')`;

/**
 * Parts of a statement that are applied atomically with a unit, and their bind values. `workspace` and `event` refer to the
 * delivery's.
 */
export type AtomicParts = { sql: { parts: (isWanted: SQL) => SQL; isDone: SQL }; values: Values };

const NOTHING_ELSE: AtomicParts = { sql: { parts: () => sql`nothing as (select 1)`, isDone: sql`true` }, values: {} };

type Spent = { has_room: boolean; is_together: boolean; delivered: boolean };

const workspaceValue = sql`${sql.placeholder("workspace")}::uuid`;
const sliceValue = sql`${sql.placeholder("slice")}::int`;

/** Statement part that inserts the first delivery of an event into the ledger, for each row of `from`. */
export const insertDelivery = (
  {
    workspace,
    event,
    webApp,
    key,
    acceptance,
    period,
  }: Record<"workspace" | "event" | "webApp" | "key" | "acceptance" | "period", SQL>,
  from: SQL,
): SQL => sql`
      insert into report_deliveries (workspace_id, event_id, web_app_id, key_id, period, delivered_at, acceptance_hash)
      select ${workspace}, ${event}, ${webApp}, ${key}, ${period}, statement_timestamp(), ${acceptance}
      from ${from} on conflict do nothing returning period`;

const spendStatement = (unitPeriod: UnitLimit["unitPeriod"], together: AtomicParts["sql"]) =>
  statement<Spent>(
    sql`
    with period as materialized (select ${periodOf(unitPeriod)} as name),
    room as (
      select s.period from unit_slices s, period
      where s.workspace_id = ${workspaceValue} and s.period = period.name and s.slice = ${sliceValue}
        and s.plan_units is not distinct from ${sql.placeholder("planUnits")}::int
        and (s.units_limit is null or s.units_used < s.units_limit)
    ),
    ${together.parts(sql`exists (select 1 from room)`)},
    delivered as (${insertDelivery(
      {
        workspace: workspaceValue,
        event: sql`${sql.placeholder("event")}::uuid`,
        webApp: sql`${sql.placeholder("webApp")}::uuid`,
        key: sql`${sql.placeholder("key")}::uuid`,
        acceptance: sql`${sql.placeholder("acceptance")}::bytea`,
        period: sql`room.period`,
      },
      sql`room where ${together.isDone}`,
    )}),
    spent as (
      update unit_slices s set units_used = s.units_used + 1 from delivered d
      where s.workspace_id = ${workspaceValue} and s.period = d.period and s.slice = ${sliceValue}
    )
    select exists (select 1 from room) as has_room, ${together.isDone} as is_together,
      exists (select 1 from delivered) as delivered`,
    "use unit",
  );

const spendStatements = new WeakMap<AtomicParts["sql"], Map<UnitLimit["unitPeriod"], Statement<Spent>>>();

/** The statement with the given additional parts, built on first use. */
function spendStatementOf(unitPeriod: UnitLimit["unitPeriod"], together: AtomicParts["sql"]): Statement<Spent> {
  const made = spendStatements.get(together) ?? new Map<UnitLimit["unitPeriod"], Statement<Spent>>();
  const known = made.get(unitPeriod) ?? spendStatement(unitPeriod, together);
  spendStatements.set(together, made.set(unitPeriod, known));
  return known;
}

/**
 * Stores the first delivery of a Report and uses one unit of a slice, atomically in one statement. The limit is a table
 * constraint; the statement's own check of the slice only avoids futile attempts.
 *
 * @returns `repeated` if the Report was delivered before; `exhausted` if the slice has no unit left or belongs to another
 * limit, and `partsRejected` if the additional parts could not be applied: nothing is changed then
 */
export async function useUnit(
  db: Db,
  { workspaceId, imprint, webAppId, keyId, acceptanceHash }: Delivery,
  { reportUnits, unitPeriod }: UnitLimit,
  slice: number,
  together = NOTHING_ELSE,
): Promise<"delivered" | "repeated" | "exhausted" | "partsRejected"> {
  const values = {
    workspace: idToUuid(workspaceId),
    event: idToUuid(imprint),
    webApp: idToUuid(webAppId),
    key: keyId === undefined ? null : idToUuid(keyId),
    acceptance: acceptanceHash ?? null,
    planUnits: reportUnits,
    slice,
  };
  try {
    const [row] = await spendStatementOf(unitPeriod, together.sql)(db, values, together.values);
    if (!row?.has_room) return "exhausted";
    if (!row.is_together) return "partsRejected";
    return row.delivered ? "delivered" : "repeated";
  } catch (error) {
    if (violatedConstraint(error) === "unit_slices_within_limit") return "exhausted";
    throw error;
  }
}

/**
 * SQL value: whether the first delivery of an event had this acceptance. Null if there is no delivery yet; false for any
 * other acceptance, and if either has none. As in `readReport`, `limit 1` makes the generic plan cheap for any month, so
 * that PostgreSQL caches it.
 */
export const isDeliveredUnder = (workspace: SQL, event: SQL, acceptance: SQL): SQL => sql`(
    select coalesce(d.acceptance_hash = ${acceptance}, false) from report_deliveries d
    where d.workspace_id = ${workspace} and d.event_id = ${event} limit 1)`;

/** SQL value: time of a workspace's first delivery in Unix milliseconds. */
export const firstDeliveryMs = (workspace: SQL): SQL => sql`(
    select floor(extract(epoch from min(delivered_at)) * 1000)::text from (
      select delivered_at from report_deliveries where workspace_id = ${workspace} order by event_id limit 1) d)`;

/** The first delivery of an imprint, and whether it had this acceptance; undefined if there is none yet. */
export async function findDelivery(
  db: Db,
  { workspaceId, imprint, acceptanceHash }: Pick<Delivery, "workspaceId" | "imprint" | "acceptanceHash">,
): Promise<{ isAccepted: boolean } | undefined> {
  const acceptance = sql`${acceptanceHash ?? null}::bytea`;
  const delivered = isDeliveredUnder(workspaceOf(workspaceId), sql`${idToUuid(imprint)}::uuid`, acceptance);
  const [row] = await db.execute<{ accepted: boolean | null }>(sql`select ${delivered} as accepted`);
  return row && row.accepted !== null ? { isAccepted: row.accepted } : undefined;
}

export type Slice = { slice: number; used: number; limit: number | null; planUnits: number | null };

/** The slices of the current period. Used units never decrease, so a period seen as used up stays so. */
export async function readSlices(db: Db, workspaceId: string, unitPeriod: UnitLimit["unitPeriod"]): Promise<Slice[]> {
  const rows = await db.execute<Slice>(sql`
    with period as materialized (select ${periodOf(unitPeriod)} as name)
    select s.slice, s.units_used as used, s.units_limit as limit, s.plan_units as "planUnits" from unit_slices s, period
    where s.workspace_id = ${workspaceOf(workspaceId)} and s.period = period.name order by s.slice`);
  return [...rows];
}

/** Divides the plan's remaining units of the current period among the slices. Must run in its own transaction. */
export async function divideUnits(tx: Db, workspaceId: string, { reportUnits, unitPeriod }: UnitLimit): Promise<void> {
  const workspace = workspaceOf(workspaceId);
  const [period] = await tx.execute<{ name: string }>(sql`
    insert into unit_slices (workspace_id, period, slice, units_used, units_limit, plan_units)
    select ${workspace}, period.name, slice, 0, 0, -1
    from (select ${periodOf(unitPeriod)} as name) period, generate_series(0, ${COUNTER_STRIPES - 1}::int) slice
    on conflict (workspace_id, period, slice) do update set slice = excluded.slice
    returning period as name`);
  if (!period) throw new Error("the period has no slices");
  // All slices are locked now, so the sum in the next statement cannot change until this transaction ends.
  await tx.execute(sql`
    update unit_slices s
    set plan_units = ${reportUnits}::int,
      units_limit = case when ${reportUnits}::int is not null
        then s.units_used + rest.units / ${COUNTER_STRIPES}::int + (s.slice < rest.units % ${COUNTER_STRIPES}::int)::int end
    from (
      select greatest(0, ${reportUnits}::int - sum(units_used))::int as units from unit_slices
      where workspace_id = ${workspace} and period = ${period.name}
    ) rest
    where s.workspace_id = ${workspace} and s.period = ${period.name}`);
}

/** Units used in the current UTC month, and today's date by the database clock. */
export async function findUnits(db: Db, workspaceId: string): Promise<{ period: string; today: string; used: number }> {
  const [row] = await db.execute<{ period: string; today: string; used: number }>(sql`
    select m.period, m.today, (
      select coalesce(sum(units_used), 0)::int from unit_slices
      where workspace_id = ${workspaceOf(workspaceId)} and period = m.period) as used
    from (
      select to_char(at, 'YYYY-MM') as period, to_char(at, 'YYYY-MM-DD') as today
      from (select statement_timestamp() at time zone 'UTC' as at) clock
    ) m`);
  if (!row) throw new Error("the database did not return the month");
  return row;
}
