import { and, eq } from "drizzle-orm";

import { insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import { apiKeys, apiKeyUses } from "@/db/schema";

type Invented = { workspaceId: string; keyId: string; createdAt: Date; lastUsedAt: Date | null };

/** Dates a key of invented data: it is older than its first call, and was used last by the last one. */
export async function dateInventedKey(db: Db, { workspaceId, keyId, ...dates }: Invented): Promise<void> {
  await db
    .update(apiKeys)
    .set(dates)
    .where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.keyId, keyId)));
}

/** Enters invented calls into the logs of keys. */
export const insertInventedUses = (db: Db, rows: readonly (typeof apiKeyUses.$inferInsert)[]): Promise<void> =>
  insertMissing(db, apiKeyUses, rows);
