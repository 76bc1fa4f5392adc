import { and, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { accountKeys } from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";
import type { Sealed, SealedStore } from "@/lib/platform/sealed";

const NAME = "account_keys.sealed";

/** Context that a workspace's sealed key is bound to. */
export const boundTo = (workspaceId: string): string => `${NAME} ${workspaceId}`;

const ofBound = (bound: string) => bound.slice(NAME.length + 1);

export async function findSealedKey(db: Db, workspaceId: string): Promise<Sealed | undefined> {
  const [row] = await db
    .select({ sealed: accountKeys.sealed })
    .from(accountKeys)
    .where(eq(accountKeys.workspaceId, workspaceId));
  return row?.sealed;
}

/** Stores a workspace's first key, unless another process has stored one concurrently. */
export async function insertSealedKey(db: Db, workspaceId: string, sealed: Sealed): Promise<void> {
  await db.insert(accountKeys).values({ workspaceId, sealed }).onConflictDoNothing();
}

/** The keys for account references, for rewrapping after a rotation. */
export const accountKeyStore: SealedStore = {
  name: NAME,
  async listNotUnder(db, keyId, limit) {
    const rows = await db
      .select({ workspaceId: accountKeys.workspaceId, sealed: accountKeys.sealed })
      .from(accountKeys)
      .where(sql`not starts_with(${accountKeys.sealed}, ${`v1.${keyId}.`})`)
      .limit(limit);
    return rows.map(({ workspaceId, sealed }) => ({ boundTo: boundTo(workspaceId), sealed }));
  },
  async replace(db, { boundTo: bound, old, fresh }) {
    const rows = await db
      .update(accountKeys)
      .set({ sealed: fresh })
      .where(and(sql`${accountKeys.workspaceId} = ${idToUuid(ofBound(bound))}::uuid`, eq(accountKeys.sealed, old)))
      .returning({ workspaceId: accountKeys.workspaceId });
    return rows.length > 0;
  },
};
