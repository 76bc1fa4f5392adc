import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "./authorize";
import { keptRetention } from "./kept-retention";
import { findWorkspace } from "./queries";

/**
 * A workspace with the actor's access.
 *
 * @throws AppError `not_found`
 */
export async function readWorkspace(context: Context, input: { workspaceId: string }) {
  const { role, canSeeAddresses } = await authorize(context, input.workspaceId, "workspace.read");
  const workspace = await findWorkspace(context.db, input.workspaceId);
  if (!workspace) throw new AppError("not_found", { message: "There is no such workspace" });
  return { ...workspace, keptDays: keptRetention(workspace.retentionDays), role, canSeeAddresses };
}
