import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { isUnused } from "./domain/key-state";
import { announceKey } from "./announce-key";
import { lockStoredKey } from "./lock-stored-key";
import { setRevoked } from "./queries";

/**
 * Revokes the given keys that have not been used for 30 days. A key used since the list was read stays valid.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function revokeUnusedKeys(context: Context, input: { workspaceId: string; keyIds: readonly string[] }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "apiKey.manage");
  // In a fixed order, so that concurrent calls cannot deadlock.
  const keyIds = [...new Set(input.keyIds)].sort();
  return await context.db.transaction(async (tx) => {
    const revoked: string[] = [];
    for (const keyId of keyIds) {
      const { name, now, ...key } = await lockStoredKey(tx, workspaceId, keyId);
      if (!isUnused(key, now)) continue;
      await setRevoked(tx, workspaceId, keyId);
      const lastUsedAt = key.lastUsedAt?.toISOString() ?? "never";
      await recordAudit(tx, context, {
        workspaceId,
        action: "api_key.revoke",
        target: keyId,
        detail: { name, why: "unused for 30 days", lastUsedAt },
      });
      await announceKey(tx, "key.revoked", { workspaceId, keyId, name, expiresAt: key.expiresAt });
      revoked.push(keyId);
    }
    return { revoked };
  });
}
