import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { announceKey } from "./announce-key";
import { lockStoredKey } from "./lock-stored-key";
import { setRevoked } from "./queries";

/**
 * Revokes a key at once. Idempotent.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function revokeKey(context: Context, input: { workspaceId: string; keyId: string }): Promise<void> {
  const { workspaceId, keyId } = input;
  await authorize(context, workspaceId, "apiKey.manage");
  await context.db.transaction(async (tx) => {
    const { state, name, expiresAt } = await lockStoredKey(tx, workspaceId, keyId);
    if (state === "revoked") return;
    await setRevoked(tx, workspaceId, keyId);
    await recordAudit(tx, context, { workspaceId, action: "api_key.revoke", target: keyId, detail: { name } });
    await announceKey(tx, "key.revoked", { workspaceId, keyId, name, expiresAt });
  });
}
