import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { requireId } from "@/lib/tenancy/workspaces";
import { lockCaseRow } from "./queries";

export const UNKNOWN_CASE = "There is no such case";

/**
 * A case, locked until the end of the transaction.
 *
 * @throws AppError `not_found`
 */
export async function lockCase(tx: Db, { workspaceId, caseId }: { workspaceId: string; caseId: string }) {
  const found = await lockCaseRow(tx, workspaceId, requireId("case", caseId, UNKNOWN_CASE));
  if (!found) throw new AppError("not_found", { message: UNKNOWN_CASE });
  return found;
}
