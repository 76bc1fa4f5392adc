import type { Database } from "@/db/client";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { announceOnce } from "@/lib/tenancy/webhooks";
import { keyData } from "./announce-key";
import { listExpiringKeys } from "./queries";

const AHEAD_DAYS = 7;

/** Announces keys that expire within a week to webhook endpoints, once per key and expiry. Keys being replaced are skipped. */
export async function announceExpiringKeys(db: Database, signal: AbortSignal): Promise<void> {
  await eachInTurn(await listExpiringKeys(db, AHEAD_DAYS), signal, (key) =>
    db.transaction((tx) =>
      announceOnce(tx, {
        type: "key.expiring",
        name: `${key.keyId} ${key.expiresAt?.toISOString() ?? ""}`,
        workspaceId: key.workspaceId,
        streamId: key.keyId,
        data: keyData(key),
      }),
    ),
  );
}
