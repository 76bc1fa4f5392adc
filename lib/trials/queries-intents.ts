import { and, asc, eq, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { once } from "@/db/once";
import { paymentAttempts, trialIntentEvents, trialIntents } from "@/db/schema";
import { uuidToId } from "@/lib/contract/ids";
import { type IntentStatus, UNRESOLVED_STATUSES } from "@/lib/contract/trial";
import type { Intent } from "./domain/intent";

const databaseNow = sql`clock_timestamp()`.mapWith(trialIntents.createdAt);

type NewIntent = { intentId: string; claimHash: Uint8Array; origin: string; limits: unknown; payWindowMs: number };

/** False if the claim token already has a purchase. */
export async function insertIntent(db: Db, { payWindowMs, ...row }: NewIntent): Promise<boolean> {
  const rows = await db
    .insert(trialIntents)
    .values({ ...row, payUntil: sql`clock_timestamp() + make_interval(secs => ${payWindowMs / 1000})` })
    .onConflictDoNothing({ target: trialIntents.claimHash })
    .returning({ intentId: trialIntents.intentId });
  return rows.length > 0;
}

export async function findIntentByClaim(
  db: Db,
  claimHash: Uint8Array,
): Promise<{ intentId: string; origin: string } | undefined> {
  const [row] = await db
    .select({ intentId: trialIntents.intentId, origin: trialIntents.origin })
    .from(trialIntents)
    .where(eq(trialIntents.claimHash, claimHash));
  return row;
}

export async function findClaimHash(db: Db, intentId: string): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ claimHash: trialIntents.claimHash })
    .from(trialIntents)
    .where(eq(trialIntents.intentId, intentId));
  return row?.claimHash;
}

const stateColumns = {
  status: trialIntents.status,
  revision: trialIntents.revision,
  origin: trialIntents.origin,
  limits: trialIntents.limits,
  payUntil: trialIntents.payUntil,
  isQuoteLocked: sql<boolean>`${trialIntents.terms} is not null`,
  leaseUntil: trialIntents.leaseUntil,
  lastReconciledAt: trialIntents.lastReconciledAt,
  nextReconcileAt: trialIntents.nextReconcileAt,
  reconcileAttempts: trialIntents.reconcileAttempts,
  trialId: trialIntents.trialId,
  workspaceId: trialIntents.workspaceId,
  trialExpiresAt: trialIntents.trialExpiresAt,
  deliverUntil: trialIntents.deliverUntil,
  isKeySealed: sql<boolean>`${trialIntents.sealedKey} is not null`,
  endedAt: trialIntents.endedAt,
  attemptId: trialIntents.attemptId,
  network: paymentAttempts.network,
  asset: paymentAttempts.asset,
  payer: paymentAttempts.payer,
  nonce: paymentAttempts.nonce,
  validBefore: paymentAttempts.validBefore,
  startBlock: paymentAttempts.startBlock,
  now: databaseNow,
};

function selectState(db: Db, intentId: string) {
  return db
    .select(stateColumns)
    .from(trialIntents)
    .leftJoin(
      paymentAttempts,
      and(eq(paymentAttempts.intentId, trialIntents.intentId), eq(paymentAttempts.attemptId, trialIntents.attemptId)),
    )
    .where(eq(trialIntents.intentId, intentId));
}

type Row = Awaited<ReturnType<typeof selectState>>[number];

function attemptOf(row: Row): Intent["attempt"] {
  const { attemptId, network, asset, payer, nonce, validBefore, startBlock } = row;
  if (attemptId === null || network === null || asset === null || payer === null) return undefined;
  if (nonce === null || validBefore === null || startBlock === null) return undefined;
  return { attemptId, network, asset, payer, nonce, validBefore: new Date(validBefore * 1000), startBlock };
}

function trialOf(row: Row): Intent["trial"] {
  const { trialId, workspaceId, trialExpiresAt, deliverUntil, isKeySealed } = row;
  if (trialId === null || workspaceId === null || trialExpiresAt === null) return undefined;
  return { trialId, workspaceId, expiresAt: trialExpiresAt, deliverUntil: deliverUntil ?? undefined, isKeySealed };
}

/** An intent for the transition rules, and the database time. */
export type StoredIntent = { intent: Intent; revision: number; now: Date; origin: string; limits: unknown };

/** Locks the intent until the end of the transaction. */
export async function lockIntent(tx: Db, intentId: string): Promise<StoredIntent | undefined> {
  // A separate statement: after waiting for the lock, a single statement would see the current intent, but not an attempt
  // stored meanwhile. Source: PostgreSQL, "Read Committed Isolation Level".
  await tx
    .select({ intentId: trialIntents.intentId })
    .from(trialIntents)
    .where(eq(trialIntents.intentId, intentId))
    .for("no key update");
  const [row] = await selectState(tx, intentId);
  if (!row) return undefined;
  const intent = {
    intentId,
    status: row.status,
    payUntil: row.payUntil,
    isQuoteLocked: row.isQuoteLocked,
    attempt: attemptOf(row),
    leaseUntil: row.leaseUntil ?? undefined,
    lastReconciledAt: row.lastReconciledAt ?? undefined,
    nextReconcileAt: row.nextReconcileAt ?? undefined,
    reconcileAttempts: row.reconcileAttempts,
    trial: trialOf(row),
    endedAt: row.endedAt ?? undefined,
  };
  return { intent, revision: row.revision, now: row.now, origin: row.origin, limits: row.limits };
}

/** Stores an intent after a transition. Its key and its terms are stored separately. */
export async function saveIntent(tx: Db, intent: Intent, revision: number): Promise<void> {
  const { trial } = intent;
  await tx
    .update(trialIntents)
    .set({
      status: intent.status,
      revision,
      attemptId: intent.attempt?.attemptId ?? null,
      leaseUntil: intent.leaseUntil ?? null,
      lastReconciledAt: intent.lastReconciledAt ?? null,
      nextReconcileAt: intent.nextReconcileAt ?? null,
      reconcileAttempts: intent.reconcileAttempts,
      trialId: trial?.trialId ?? null,
      workspaceId: trial?.workspaceId ?? null,
      trialExpiresAt: trial?.expiresAt ?? null,
      deliverUntil: trial?.deliverUntil ?? null,
      endedAt: intent.endedAt ?? null,
    })
    .where(eq(trialIntents.intentId, intent.intentId));
}

export async function updateTerms(tx: Db, intentId: string, terms: unknown): Promise<void> {
  await tx.update(trialIntents).set({ terms }).where(eq(trialIntents.intentId, intentId));
}

export async function findTerms(db: Db, intentId: string): Promise<unknown> {
  const [row] = await db
    .select({ terms: trialIntents.terms })
    .from(trialIntents)
    .where(eq(trialIntents.intentId, intentId));
  return row?.terms ?? undefined;
}

export async function updateSealedKey(tx: Db, intentId: string, sealedKey: string | null): Promise<void> {
  await tx.update(trialIntents).set({ sealedKey }).where(eq(trialIntents.intentId, intentId));
}

export async function findSealedKey(db: Db, intentId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ sealedKey: trialIntents.sealedKey })
    .from(trialIntents)
    .where(eq(trialIntents.intentId, intentId));
  return row?.sealedKey ?? undefined;
}

type NewEvent = {
  event: string;
  fromStatus: IntentStatus;
  toStatus: IntentStatus;
  requestId: string | null;
  detail: unknown;
};

export async function insertIntentEvent(tx: Db, intentId: string, revision: number, row: NewEvent): Promise<void> {
  await tx.insert(trialIntentEvents).values({ intentId, revision, at: sql`clock_timestamp()`, ...row });
}

export function listIntentEvents(db: Db, intentId: string) {
  return db
    .select({
      at: trialIntentEvents.at,
      event: trialIntentEvents.event,
      fromStatus: trialIntentEvents.fromStatus,
      toStatus: trialIntentEvents.toStatus,
      requestId: trialIntentEvents.requestId,
      detail: trialIntentEvents.detail,
    })
    .from(trialIntentEvents)
    .where(eq(trialIntentEvents.intentId, intentId))
    .orderBy(asc(trialIntentEvents.revision));
}

/** Unlike `clock_timestamp()`, the bound of an index. */
const NOW = sql`statement_timestamp()`;
/** Literal, as in the conditions of the indexes. */
const inStatus = (...statuses: readonly IntentStatus[]) =>
  sql.raw(`status in (${statuses.map((each) => `'${each}'`).join()})`);

async function listIds(db: Db, query: SQL): Promise<string[]> {
  const rows = await db.execute<{ intent_id: string }>(query);
  return rows.map((row) => uuidToId("intent", row.intent_id));
}

/** Longer than any lease or delay: later times were written before the clock was set back. */
const TOO_FAR = sql`${NOW} + interval '2 hours'`;

/** Unresolved purchases that are due and not leased, longest due first. */
export function listDueIntents(db: Db, limit: number): Promise<string[]> {
  const due = (condition: SQL) => sql`(
    select intent_id, next_look_at from trial_intents cross join lateral ${once(sql`status <> ''`)}
    where ${inStatus(...UNRESOLVED_STATUSES)} and ${condition} and (lease_until is null or lease_until <= ${NOW}
      or lease_until > ${TOO_FAR})
    order by next_look_at limit ${limit})`;
  return listIds(
    db,
    sql`select intent_id from (${due(sql`next_look_at is null`)} union all ${due(sql`next_look_at <= ${NOW}`)}
      union all ${due(sql`next_look_at > ${TOO_FAR}`)}) due
      order by next_look_at nulls first limit ${limit}`,
  );
}

/** Purchases and trials past their end, and trials past their delivery window. */
export function listEndingIntents(db: Db, limit: number): Promise<string[]> {
  const ending = (condition: SQL) => sql`(select intent_id from trial_intents where ${condition} limit ${limit})`;
  return listIds(
    db,
    sql`select distinct intent_id from (
      ${ending(sql`${inStatus("payment_required", "payment_failed")} and pay_until <= ${NOW}`)}
      union all ${ending(sql`status = 'active' and trial_expires_at <= ${NOW}`)}
      union all ${ending(sql`status = 'active' and sealed_key is not null and deliver_until <= ${NOW}`)}) ending
      limit ${limit}`,
  );
}

/** Deletes one batch of purchases that ended unpaid long ago; returns the number deleted. */
export async function deleteUnpaidIntents(db: Db, olderThanDays: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    with ended as (
      select intent_id from trial_intents i
      where status in ('expired', 'revoked') and trial_id is null
        and ended_at < clock_timestamp() - make_interval(days => ${olderThanDays})
        and not exists (select 1 from payment_attempts a where a.intent_id = i.intent_id)
      limit ${limit}),
    history as (delete from trial_intent_events where intent_id in (select intent_id from ended))
    delete from trial_intents where intent_id in (select intent_id from ended) returning 1`);
  return rows.length;
}

/** Immutable facts of a purchase. */
export async function findCreation(db: Db, intentId: string): Promise<{ origin: string; createdAt: Date } | undefined> {
  const [row] = await db
    .select({ origin: trialIntents.origin, createdAt: trialIntents.createdAt })
    .from(trialIntents)
    .where(eq(trialIntents.intentId, intentId));
  return row;
}
