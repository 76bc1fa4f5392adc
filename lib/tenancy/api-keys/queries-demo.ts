import { and, eq } from "drizzle-orm";

import { insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import { apiKeys, apiKeyUses } from "@/db/schema";

type DemoKey = { workspaceId: string; keyId: string; createdAt: Date; lastUsedAt: Date | null };

/** Dates a key of demo data: it is older than its first call, and was used last by the last one. */
export async function dateDemoKey(db: Db, { workspaceId, keyId, ...dates }: DemoKey): Promise<void> {
  await db
    .update(apiKeys)
    .set(dates)
    .where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.keyId, keyId)));
}

/** Enters demo calls into the logs of keys. */
export const insertDemoUses = (db: Db, rows: readonly (typeof apiKeyUses.$inferInsert)[]): Promise<void> =>
  insertMissing(db, apiKeyUses, rows);
