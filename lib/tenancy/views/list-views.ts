import { actorId } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, roleHas } from "@/lib/tenancy/workspaces";
import { namesPlaces } from "./domain/view-query";
import { listViewRows } from "./queries";

export type View = {
  viewId: string;
  name: string;
  createdBy: string;
  createdAt: Date;
  canChange: boolean;
  /** Absent if it reveals an address or a place and the actor may not see those. */
  query?: string;
};

/**
 * The saved views of a workspace, sorted by name.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listViews(context: Context, { workspaceId }: { workspaceId: string }): Promise<View[]> {
  const { actor } = context;
  const { role, canSeeAddresses } = await authorize(context, workspaceId, "view.use");
  const isManager = role === undefined || roleHas(role, "view.manage");
  const rows = await listViewRows(context.db, workspaceId);
  return rows.map(({ query, ...view }) => ({
    ...view,
    canChange: isManager || (actor.kind === "user" && view.createdBy === actorId(actor)),
    ...(canSeeAddresses || !namesPlaces(query) ? { query } : {}),
  }));
}
