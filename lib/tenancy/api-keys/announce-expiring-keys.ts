import type { Database } from "@/db/client";
import { announceOnce } from "@/lib/tenancy/webhooks";
import { keyData } from "./announce-key";
import { listExpiringKeys } from "./queries";

const AHEAD_DAYS = 7;

/** Tells endpoints of keys that expire within a week, once of each. A key that is being replaced is none of them. */
export async function announceExpiringKeys(db: Database, signal: AbortSignal): Promise<void> {
  for (const key of await listExpiringKeys(db, AHEAD_DAYS)) {
    if (signal.aborted) return;
    await db.transaction((tx) =>
      announceOnce(tx, {
        type: "key.expiring",
        name: `${key.keyId} ${key.expiresAt?.toISOString() ?? ""}`,
        workspaceId: key.workspaceId,
        streamId: key.keyId,
        data: keyData(key),
      }),
    );
  }
}
