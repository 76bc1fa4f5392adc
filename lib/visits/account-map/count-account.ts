import type { Context } from "@/lib/platform/context";
import { uuidToId } from "@/lib/contract/ids";
import { authorize } from "@/lib/tenancy/workspaces";
import { sumAccount } from "@/lib/visits/visit-store";
import { identifyAccount } from "./identify-account";

/**
 * Counts what is stored about an account; zeros for a reference that was never sent.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_account_ref`
 */
export async function countAccount(context: Context, input: { workspaceId: string; accountRef: string }) {
  const { workspaceId, accountRef } = input;
  await authorize(context, workspaceId, "data.delete");
  const { hash } = await identifyAccount(context.db, workspaceId, accountRef);
  const found = await sumAccount(context.db, workspaceId, uuidToId("account", Buffer.from(hash).toString("hex")));
  return { visits: found?.visits ?? 0, devices: found?.devices ?? 0 };
}
