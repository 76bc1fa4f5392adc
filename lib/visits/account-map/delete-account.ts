import { recordAudit } from "@/lib/platform/audit";
import { uuidToId } from "@/lib/contract/ids";
import type { Context } from "@/lib/platform/context";
import { forgetAccountInCases } from "@/lib/tenancy/cases";
import { authorize } from "@/lib/tenancy/workspaces";
import { identifyAccount } from "./identify-account";
import { deleteAccountRows } from "@/lib/visits/visit-store";

/**
 * Deletes an account from the Account Map: its links, its positions on every device, and its entries in cases. Maps of
 * other accounts become as if it had never existed. The audit log records the deletion but not the account.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_account_ref`
 */
export async function deleteAccount(context: Context, input: { workspaceId: string; accountRef: string }) {
  const { workspaceId, accountRef } = input;
  await authorize(context, workspaceId, "data.delete");
  const account = await identifyAccount(context.db, workspaceId, accountRef);
  return context.db.transaction(async (tx) => {
    const deleted = await deleteAccountRows(tx, account);
    const accountId = uuidToId("account", Buffer.from(account.hash).toString("hex"));
    await forgetAccountInCases(tx, workspaceId, { accountId, accountRef });
    await recordAudit(tx, context, { workspaceId, action: "account.delete", target: "account", detail: deleted });
    return deleted;
  });
}
