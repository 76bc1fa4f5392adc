import { pageOf, requirePosition } from "@/lib/platform/cursor";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import type { CaseStatus } from "./domain/case";
import { listCaseRows } from "./queries";

const PAGE = 50;

export type CaseSummary = {
  caseId: string;
  name: string;
  status: CaseStatus;
  /** User id; empty if unassigned. */
  assigneeId: string;
  createdBy: string;
  createdAt: Date;
  changedAt: Date;
  items: number;
};

type Input = {
  workspaceId: string;
  statuses?: readonly CaseStatus[] | undefined;
  assigneeId?: string | undefined;
  cursor?: string | undefined;
};

/**
 * One page of a workspace's cases, most recently changed first.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function listCases(
  context: Context,
  { workspaceId, cursor, statuses, assigneeId }: Input,
): Promise<{ cases: CaseSummary[]; nextCursor: string | undefined }> {
  await authorize(context, workspaceId, "case.read");
  const before = requirePosition("case", cursor, "list");
  const rows = await listCaseRows(context.db, workspaceId, { statuses, assigneeId, before, limit: PAGE + 1 });
  const { shown, nextCursor } = pageOf(rows, PAGE, ({ position }) => position);
  return { cases: shown.map(({ summary }) => summary), nextCursor };
}
