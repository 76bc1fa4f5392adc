import { actorId } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { idPattern } from "@/lib/contract/ids";
import { authorize, roleHas } from "@/lib/tenancy/workspaces";
import { namesPlaces } from "./domain/view-query";
import { findViewRow, listViewRows, type ViewRow } from "./queries";

export type View = {
  viewId: string;
  name: string;
  createdBy: string;
  createdAt: Date;
  canChange: boolean;
  /** Absent if it reveals an address or a place and the actor may not see those. */
  query?: string;
};

/** Opens the views of a workspace: returns how the actor sees one. */
async function openViews(context: Context, workspaceId: string) {
  const { actor } = context;
  const { role, canSeeAddresses } = await authorize(context, workspaceId, "view.use");
  const isManager = role === undefined || roleHas(role, "view.manage");
  return ({ query, ...view }: ViewRow): View => ({
    ...view,
    canChange: isManager || (actor.kind === "user" && view.createdBy === actorId(actor)),
    ...(canSeeAddresses || !namesPlaces(query) ? { query } : {}),
  });
}

/**
 * The saved views of a workspace, sorted by name.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listViews(context: Context, { workspaceId }: { workspaceId: string }): Promise<View[]> {
  const shown = await openViews(context, workspaceId);
  return (await listViewRows(context.db, workspaceId)).map(shown);
}

/**
 * One saved view; undefined if there is none with this id.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function findView(
  context: Context,
  { workspaceId, viewId }: { workspaceId: string; viewId: string },
): Promise<View | undefined> {
  const shown = await openViews(context, workspaceId);
  const row = idPattern("view").test(viewId) ? await findViewRow(context.db, workspaceId, viewId) : undefined;
  return row && shown(row);
}
