import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { paymentAttempts, trialGrants, trialIntents, trialRefunds } from "@/db/schema";
import type { IntentStatus } from "@/lib/contract/trial";
import { idToUuid } from "@/lib/contract/ids";
import type { PurchaseSearch } from "./domain/purchase-search";

export type PurchaseFilter = {
  /** Empty for all. */
  statuses: readonly IntentStatus[];
  search: PurchaseSearch | undefined;
  /** Only purchases created before this one. */
  before: string | undefined;
  isOldestFirst: boolean;
};

const attemptWith = (condition: SQL): SQL =>
  sql`exists (select 1 from ${paymentAttempts} any_attempt where any_attempt.intent_id = ${trialIntents.intentId} and ${condition})`;

function matches({ by, value }: PurchaseSearch): SQL {
  switch (by) {
    case "intent":
      return eq(trialIntents.intentId, value);
    case "trial":
      return sql`${trialIntents.trialId} = ${/^trial_[0-9a-f]{32}$/.test(value) ? idToUuid(value) : null}::uuid`;
    case "transaction":
      return attemptWith(sql`lower(any_attempt.transaction) = ${value}`);
    case "payer":
      return attemptWith(sql`any_attempt.payer = ${value}`);
    case "origin":
      return eq(trialIntents.origin, value);
  }
}

const isBefore = (intentId: string): SQL => sql`(${trialIntents.createdAt}, ${trialIntents.intentId}) < (
  select created_at, intent_id from ${trialIntents} mark where mark.intent_id = ${idToUuid(intentId)}::uuid)`;

/** Purchases with their latest payment attempt and the usage of their trial. */
export function listPurchaseRows(db: Db, filter: PurchaseFilter, limit: number) {
  const { statuses, search, before, isOldestFirst } = filter;
  const order = isOldestFirst ? asc : desc;
  return db
    .select({
      intentId: trialIntents.intentId,
      status: trialIntents.status,
      origin: trialIntents.origin,
      createdAt: trialIntents.createdAt,
      payUntil: trialIntents.payUntil,
      endedAt: trialIntents.endedAt,
      lastReconciledAt: trialIntents.lastReconciledAt,
      nextReconcileAt: trialIntents.nextReconcileAt,
      reconcileAttempts: trialIntents.reconcileAttempts,
      trialId: trialIntents.trialId,
      workspaceId: trialIntents.workspaceId,
      trialExpiresAt: trialIntents.trialExpiresAt,
      network: paymentAttempts.network,
      asset: paymentAttempts.asset,
      payer: paymentAttempts.payer,
      amountAtomic: paymentAttempts.amountAtomic,
      attemptedAt: paymentAttempts.createdAt,
      validBefore: paymentAttempts.validBefore,
      transaction: paymentAttempts.transaction,
      unitsUsed: trialGrants.unitsUsed,
      unitsTotal: trialGrants.unitsTotal,
      submitRequestsUsed: trialGrants.submitRequestsUsed,
      submitRequests: trialGrants.submitRequests,
      reportRequestsUsed: trialGrants.reportRequestsUsed,
      reportRequests: trialGrants.reportRequests,
      isTakenBack: sql<boolean>`${paymentAttempts.takenBackAt} is not null`,
      isRefunded: sql<boolean>`exists (
        select 1 from ${trialRefunds} where ${trialRefunds.intentId} = ${trialIntents.intentId})`,
    })
    .from(trialIntents)
    .leftJoin(
      paymentAttempts,
      and(eq(paymentAttempts.intentId, trialIntents.intentId), eq(paymentAttempts.attemptId, trialIntents.attemptId)),
    )
    .leftJoin(trialGrants, eq(trialGrants.workspaceId, trialIntents.workspaceId))
    .where(
      and(
        statuses.length === 0 ? undefined : inArray(trialIntents.status, [...statuses]),
        search && matches(search),
        before === undefined ? undefined : isBefore(before),
      ),
    )
    .orderBy(order(trialIntents.createdAt), order(trialIntents.intentId))
    .limit(limit);
}

export type TotalsDay = { date: string; intents: number; paid: number; failed: number; refunded: number };

/** Counts for each of the last `days` UTC days, including today and days without any. */
export async function sumDays(db: Db, days: number): Promise<TotalsDay[]> {
  const from = sql`((clock_timestamp() at time zone 'UTC')::date - ${days - 1}::int)`;
  const since = sql`${from}::timestamp at time zone 'UTC'`;
  const dayOf = (column: SQL) => sql`(${column} at time zone 'UTC')::date`;
  const rows = await db.execute<TotalsDay>(sql`
    with happened as (
      select ${dayOf(sql`created_at`)} as day, 'intents' as what from trial_intents where created_at >= ${since}
      union all
      select ${dayOf(sql`resolved_at`)},
        case when outcome = 'settled' and taken_back_at is null then 'paid' else 'failed' end
      from payment_attempts where resolved_at >= ${since}
      union all
      select ${dayOf(sql`min(noted_at)`)}, 'refunded' from trial_refunds group by intent_id having min(noted_at) >= ${since}
    )
    select d.day::date::text as date,
      count(*) filter (where what = 'intents')::int as intents, count(*) filter (where what = 'paid')::int as paid,
      count(*) filter (where what = 'failed')::int as failed, count(*) filter (where what = 'refunded')::int as refunded
    from generate_series(${from}, ${from} + ${days - 1}::int, interval '1 day') d(day)
    left join happened h on h.day = d.day::date
    group by d.day order by d.day`);
  return [...rows];
}

export type Income = { network: string; asset: string; paidAtomic: string; refundedAtomic: string };

/** Amounts by token of the last `days` UTC days: payments settled in that time, and how much of them was refunded since. */
export async function sumIncome(db: Db, days: number): Promise<Income[]> {
  const rows = await db.execute<Income>(sql`
    select a.network, a.asset, sum(a.amount_atomic::numeric)::text as "paidAtomic",
      coalesce(sum(a.amount_atomic::numeric) filter (
        where exists (select 1 from trial_refunds r where r.intent_id = a.intent_id)), 0)::text as "refundedAtomic"
    from payment_attempts a
    where a.outcome = 'settled' and a.taken_back_at is null
      and a.resolved_at >= ((clock_timestamp() at time zone 'UTC')::date - ${days - 1}::int)::timestamp at time zone 'UTC'
    group by a.network, a.asset order by 1, 2`);
  return [...rows];
}

type NewRefund = { intentId: string; transaction: string; notedBy: string; note: string | null };

/** False if the refund was recorded before. */
export async function insertRefund(tx: Db, row: NewRefund): Promise<boolean> {
  const rows = await tx
    .insert(trialRefunds)
    .values({ ...row, notedAt: sql`clock_timestamp()` })
    .onConflictDoNothing()
    .returning({ intentId: trialRefunds.intentId });
  return rows.length > 0;
}

export function listRefundRows(db: Db, intentId: string) {
  return db
    .select({
      transaction: trialRefunds.transaction,
      notedAt: trialRefunds.notedAt,
      notedBy: trialRefunds.notedBy,
      note: trialRefunds.note,
    })
    .from(trialRefunds)
    .where(eq(trialRefunds.intentId, intentId))
    .orderBy(asc(trialRefunds.notedAt));
}

/** Purchases by state, and the age of the oldest unresolved payment. */
export async function countByStatus(db: Db) {
  const counts = await db
    .select({ status: trialIntents.status, purchases: sql<number>`count(*)::int` })
    .from(trialIntents)
    .groupBy(trialIntents.status);
  const [oldest] = await db
    .select({ seconds: sql<number>`coalesce(extract(epoch from now() - min(${trialIntents.createdAt})), 0)::float8` })
    .from(trialIntents)
    .where(sql`${trialIntents.status} in ('payment_in_progress', 'reconciliation_pending', 'provisioning')`);
  return { counts, oldestUnresolvedSeconds: oldest?.seconds ?? 0 };
}
