import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { announceKey } from "./announce-key";
import { lockStoredKey } from "./lock-stored-key";
import { setRevoked } from "./queries";

/**
 * Revokes a replaced key before the end of its overlap.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` if the key is not in overlap
 */
export async function endOverlap(context: Context, input: { workspaceId: string; keyId: string }): Promise<void> {
  const { workspaceId, keyId } = input;
  await authorize(context, workspaceId, "apiKey.manage");
  await context.db.transaction(async (tx) => {
    const { state, ...key } = await lockStoredKey(tx, workspaceId, keyId);
    if (state !== "overlap") throw new AppError("conflict", { message: `This key is not in overlap: it is ${state}` });
    await setRevoked(tx, workspaceId, keyId);
    await recordAudit(tx, context, { workspaceId, action: "api_key.end_overlap", target: keyId });
    await announceKey(tx, "key.revoked", { ...key, workspaceId, keyId });
  });
}
