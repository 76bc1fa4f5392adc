import { type Context, requireOperator } from "@/lib/platform/context";
import { listCommercialWorkspaces, listWorkspacesOfMember } from "./queries";

/** The workspaces that a person is a member of, by name. */
export function listWorkspacesOf({ db }: Pick<Context, "db">, input: { userId: string }) {
  return listWorkspacesOfMember(db, input.userId);
}

/**
 * Every workspace of the instance but those of purchased trials, oldest first.
 *
 * @throws AppError `forbidden`
 */
export async function listWorkspaces(context: Context) {
  requireOperator(context);
  return await listCommercialWorkspaces(context.db);
}
