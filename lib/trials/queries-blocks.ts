import { and, desc, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { productSwitches, trialBlocks, trialIntents } from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";
import type { Buyer } from "./domain/buyer";

const ofBuyer = ({ kind, value }: Buyer) => and(eq(trialBlocks.kind, kind), eq(trialBlocks.value, value));

/** False if the buyer was already blocked. */
export async function insertBlock(tx: Db, buyer: Buyer, reason: string | null): Promise<boolean> {
  const rows = await tx
    .insert(trialBlocks)
    .values({ ...buyer, reason })
    .onConflictDoNothing()
    .returning({ kind: trialBlocks.kind });
  return rows.length > 0;
}

/** False if the buyer was not blocked. */
export async function deleteBlock(tx: Db, buyer: Buyer): Promise<boolean> {
  const rows = await tx.delete(trialBlocks).where(ofBuyer(buyer)).returning({ kind: trialBlocks.kind });
  return rows.length > 0;
}

export function listBlockRows(db: Db, limit: number) {
  return db
    .select({
      kind: trialBlocks.kind,
      value: trialBlocks.value,
      reason: trialBlocks.reason,
      blockedAt: trialBlocks.blockedAt,
    })
    .from(trialBlocks)
    .orderBy(desc(trialBlocks.blockedAt), desc(trialBlocks.value))
    .limit(limit);
}

/** Whether a product is on sale, and whether the origin is blocked. */
export async function findSale(db: Db, productCode: string, origin: string) {
  const [row] = await db.execute<{ is_enabled: boolean; is_blocked: boolean }>(sql`
    select coalesce((select is_enabled from ${productSwitches} where product_code = ${productCode}), true) as is_enabled,
      exists (select 1 from ${trialBlocks} where kind = 'origin' and value = ${origin}) as is_blocked`);
  return { isEnabled: row?.is_enabled ?? true, isBlocked: row?.is_blocked ?? false };
}

/** Whether the payer, or the intent's origin, is blocked. */
export async function isPurchaseBlocked(db: Db, intentId: string, payer: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 from ${trialBlocks} where (kind = 'payer' and value = ${payer}) or (kind = 'origin' and value =
      (select origin from ${trialIntents} where intent_id = ${idToUuid(intentId)}::uuid))`);
  return rows.length > 0;
}
