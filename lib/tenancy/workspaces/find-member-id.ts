import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { findMemberByEmail } from "./queries-members";
import { requireEmail } from "./require";

/**
 * The user id of the member with an e-mail address; undefined if there is none.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function findMemberId(
  context: Context,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<string | undefined> {
  await authorize(context, workspaceId, "member.read");
  return (await findMemberByEmail(context.db, workspaceId, requireEmail(email)))?.userId;
}
