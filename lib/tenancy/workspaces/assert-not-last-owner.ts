import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { lockWorkspace } from "./queries";
import { countOwners, findMember } from "./queries-members";

/**
 * The member as stored, with all membership changes of the workspace held back until the transaction ends:
 * two owners who step down at the same time must not both succeed.
 *
 * @throws AppError `not_found`
 */
export async function lockMember(tx: Db, workspaceId: string, userId: string) {
  await lockWorkspace(tx, workspaceId);
  const member = await findMember(tx, workspaceId, userId);
  if (!member) throw new AppError("not_found", { message: "That person is not a member of this workspace" });
  return member;
}

/**
 * Refuses to take away the last owner.
 *
 * @throws AppError `conflict`
 */
export async function assertNotLastOwner(tx: Db, workspaceId: string): Promise<void> {
  if ((await countOwners(tx, workspaceId)) < 2) {
    throw new AppError("conflict", { message: "This is the last owner. Make somebody else an owner first" });
  }
}
