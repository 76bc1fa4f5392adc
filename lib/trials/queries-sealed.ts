import { and, eq, isNotNull, not, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { paymentAttempts, trialIntents } from "@/db/schema";

const isUnder = (column: typeof trialIntents.sealedKey | typeof paymentAttempts.sealedPayload, keyId: string) =>
  sql`starts_with(${column}, ${`v1.${keyId}.`})`;

export async function listSealedKeysNotUnder(db: Db, keyId: string, limit: number) {
  return await db
    .select({ intentId: trialIntents.intentId, sealed: sql<string>`${trialIntents.sealedKey}` })
    .from(trialIntents)
    .where(and(isNotNull(trialIntents.sealedKey), not(isUnder(trialIntents.sealedKey, keyId))))
    .limit(limit);
}

type Replacement = { old: string; fresh: string };

export async function replaceSealedKey(db: Db, intentId: string, { old, fresh }: Replacement): Promise<boolean> {
  const rows = await db
    .update(trialIntents)
    .set({ sealedKey: fresh })
    .where(and(eq(trialIntents.intentId, intentId), eq(trialIntents.sealedKey, old)))
    .returning({ intentId: trialIntents.intentId });
  return rows.length > 0;
}

export async function listSealedPayloadsNotUnder(db: Db, keyId: string, limit: number) {
  return await db
    .select({ attemptId: paymentAttempts.attemptId, sealed: sql<string>`${paymentAttempts.sealedPayload}` })
    .from(paymentAttempts)
    .where(and(isNotNull(paymentAttempts.sealedPayload), not(isUnder(paymentAttempts.sealedPayload, keyId))))
    .limit(limit);
}

export async function replaceSealedPayload(db: Db, attemptId: string, { old, fresh }: Replacement): Promise<boolean> {
  const rows = await db
    .update(paymentAttempts)
    .set({ sealedPayload: fresh })
    .where(and(eq(paymentAttempts.attemptId, attemptId), eq(paymentAttempts.sealedPayload, old)))
    .returning({ attemptId: paymentAttempts.attemptId });
  return rows.length > 0;
}
