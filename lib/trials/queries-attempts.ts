import { and, asc, eq, isNotNull, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { paymentAttempts, trialIntents } from "@/db/schema";
import type { Attempt, NonPaymentProof, Settlement } from "./domain/intent";

type Nonce = Pick<Attempt, "network" | "asset" | "payer" | "nonce">;

/** The agreed transfer, and the sealed payload for resubmitting it. */
export type AttemptTerms = {
  payTo: string;
  amountAtomic: string;
  validAfter: number;
  sealedPayload: string;
  facilitator: "first" | "fallback";
};

/** False if the nonce was presented before, for any intent. */
export async function insertAttempt(tx: Db, intentId: string, attempt: Attempt, terms: AttemptTerms): Promise<boolean> {
  const { validBefore, ...row } = attempt;
  const rows = await tx
    .insert(paymentAttempts)
    .values({ ...row, ...terms, intentId, validBefore: Math.floor(validBefore.getTime() / 1000) })
    .onConflictDoNothing()
    .returning({ attemptId: paymentAttempts.attemptId });
  return rows.length > 0;
}

/** The intent for which a nonce was presented. */
export async function findNonceOwner(db: Db, { network, asset, payer, nonce }: Nonce): Promise<string | undefined> {
  const [row] = await db
    .select({ intentId: paymentAttempts.intentId })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.network, network),
        eq(paymentAttempts.asset, asset),
        eq(paymentAttempts.payer, payer),
        eq(paymentAttempts.nonce, nonce),
      ),
    );
  return row?.intentId;
}

/** An authorization and the agreed transfer. */
const agreedColumns = {
  attemptId: paymentAttempts.attemptId,
  network: paymentAttempts.network,
  asset: paymentAttempts.asset,
  payer: paymentAttempts.payer,
  nonce: paymentAttempts.nonce,
  payTo: paymentAttempts.payTo,
  amountAtomic: paymentAttempts.amountAtomic,
  validBefore: paymentAttempts.validBefore,
};

const isNotFinal = sql`${paymentAttempts.outcome} = 'settled' and ${paymentAttempts.finalAt} is null and ${paymentAttempts.takenBackAt} is null`;

const ofAttempt = (intentId: string, attemptId: string) =>
  and(eq(paymentAttempts.intentId, intentId), eq(paymentAttempts.attemptId, attemptId));

export async function setSettled(
  tx: Db,
  intentId: string,
  attemptId: string,
  { transaction, response }: Settlement,
): Promise<void> {
  await tx
    .update(paymentAttempts)
    .set({
      outcome: "settled",
      resolvedAt: sql`clock_timestamp()`,
      transaction,
      settleResponse: response,
      sealedPayload: null,
    })
    .where(ofAttempt(intentId, attemptId));
}

export async function setFailed(
  tx: Db,
  intentId: string,
  attemptId: string,
  { evidence, block }: NonPaymentProof,
): Promise<void> {
  await tx
    .update(paymentAttempts)
    .set({
      outcome: "failed",
      resolvedAt: sql`clock_timestamp()`,
      evidence,
      evidenceBlock: block,
      sealedPayload: null,
    })
    .where(ofAttempt(intentId, attemptId));
}

/** Applies only once: a payment proven final, or taken back before, is not changed. */
export async function setTakenBack(
  tx: Db,
  intentId: string,
  attemptId: string,
  { evidence, block }: NonPaymentProof,
): Promise<void> {
  await tx
    .update(paymentAttempts)
    .set({ takenBackAt: sql`clock_timestamp()`, evidence, evidenceBlock: block })
    .where(and(ofAttempt(intentId, attemptId), isNotFinal));
}

export async function setFinal(db: Db, intentId: string, attemptId: string): Promise<void> {
  await db
    .update(paymentAttempts)
    .set({ finalAt: sql`clock_timestamp()` })
    .where(and(ofAttempt(intentId, attemptId), isNotFinal));
}

/** Settled payments of granted trials that are not final yet, oldest first. */
export function listNotFinal(db: Db, { withinDays, limit }: { withinDays: number; limit: number }) {
  return db
    .select({
      intentId: paymentAttempts.intentId,
      ...agreedColumns,
      startBlock: paymentAttempts.startBlock,
      transaction: paymentAttempts.transaction,
    })
    .from(paymentAttempts)
    .innerJoin(trialIntents, and(eq(trialIntents.intentId, paymentAttempts.intentId), isNotNull(trialIntents.trialId)))
    .where(
      and(
        isNotFinal,
        sql`${paymentAttempts.resolvedAt} > statement_timestamp() - make_interval(days => ${withinDays})`,
      ),
    )
    .orderBy(asc(paymentAttempts.resolvedAt))
    .limit(limit);
}

/** What settling and reconciling an attempt needs besides the attempt itself. */
export async function findAttempt(db: Db, intentId: string, attemptId: string) {
  const [row] = await db
    .select({
      payTo: paymentAttempts.payTo,
      amountAtomic: paymentAttempts.amountAtomic,
      validAfter: paymentAttempts.validAfter,
      validBefore: paymentAttempts.validBefore,
      sealedPayload: paymentAttempts.sealedPayload,
      facilitator: paymentAttempts.facilitator,
      settleResponse: paymentAttempts.settleResponse,
      resolvedAt: paymentAttempts.resolvedAt,
    })
    .from(paymentAttempts)
    .where(ofAttempt(intentId, attemptId));
  return row;
}

export function listAttemptRows(db: Db, intentId: string) {
  return db
    .select({
      ...agreedColumns,
      createdAt: paymentAttempts.createdAt,
      resolvedAt: paymentAttempts.resolvedAt,
      outcome: paymentAttempts.outcome,
      transaction: paymentAttempts.transaction,
      evidence: paymentAttempts.evidence,
      evidenceBlock: paymentAttempts.evidenceBlock,
      finalAt: paymentAttempts.finalAt,
      takenBackAt: paymentAttempts.takenBackAt,
    })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.intentId, intentId))
    .orderBy(asc(paymentAttempts.createdAt));
}
