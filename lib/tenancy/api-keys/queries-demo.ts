import { and, eq } from "drizzle-orm";

import { insertMissing } from "@/db/batches";
import type { Db } from "@/db/client";
import { apiKeys, apiKeyUses } from "@/db/schema";

type DemoKey = { workspaceId: string; keyId: string; createdAt: Date; lastUsedAt: Date | null };

/** Sets the dates of a demo key, so that they match its calls. */
export async function dateDemoKey(db: Db, { workspaceId, keyId, ...dates }: DemoKey): Promise<void> {
  await db
    .update(apiKeys)
    .set(dates)
    .where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.keyId, keyId)));
}

/** Inserts demo calls into the logs of keys. */
export const insertDemoUses = (db: Db, rows: readonly (typeof apiKeyUses.$inferInsert)[]): Promise<void> =>
  insertMissing(db, apiKeyUses, rows);
