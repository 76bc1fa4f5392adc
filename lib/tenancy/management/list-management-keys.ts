import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { listManagementKeyRows } from "./queries";

/**
 * The management keys of a workspace without their secrets: those in use and the newest of the others, 100 in all.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listManagementKeys(context: Context, { workspaceId }: { workspaceId: string }) {
  await authorize(context, workspaceId, "managementKey.read");
  return await listManagementKeyRows(context.db, workspaceId);
}
