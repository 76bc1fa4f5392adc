import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { listCaseNames } from "./queries";

type Input = { workspaceId: string; caseIds: readonly string[] };

/**
 * The names of those of `caseIds` that are cases of the workspace.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function nameCases(context: Context, { workspaceId, caseIds }: Input) {
  await authorize(context, workspaceId, "case.read");
  return await listCaseNames(context.db, workspaceId, caseIds);
}
