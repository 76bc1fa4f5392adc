import { type Context, requireOperator } from "@/lib/platform/context";
import { listCommercialWorkspaces, listWorkspacesOfMember } from "./queries";

/** The workspaces of a member, sorted by name. */
export function listWorkspacesOf({ db }: Pick<Context, "db">, input: { userId: string }) {
  return listWorkspacesOfMember(db, input.userId);
}

/**
 * All workspaces of the instance except those of purchased trials, oldest first.
 *
 * @throws AppError `forbidden`
 */
export async function listWorkspaces(context: Context) {
  requireOperator(context);
  return await listCommercialWorkspaces(context.db);
}
