import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { lockManagementKey, setManagementKeyRevoked } from "./queries";

const UNKNOWN = "There is no such management key in this workspace";

/**
 * Revokes a management key at once. Idempotent.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function revokeManagementKey(context: Context, input: { workspaceId: string; keyId: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "managementKey.manage");
  const keyId = requireId("managementKey", input.keyId, UNKNOWN);
  await context.db.transaction(async (tx) => {
    const key = await lockManagementKey(tx, workspaceId, keyId);
    if (!key) throw new AppError("not_found", { message: UNKNOWN });
    if (key.state === "revoked") return;
    await setManagementKeyRevoked(tx, workspaceId, keyId);
    await recordAudit(tx, context, {
      workspaceId,
      action: "management_key.revoke",
      target: keyId,
      detail: { name: key.name },
    });
  });
  return { keyId };
}
