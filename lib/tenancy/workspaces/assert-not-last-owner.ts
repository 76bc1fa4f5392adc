import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { lockWorkspace } from "./queries";
import { countOwners, findMember } from "./queries-members";

/**
 * The stored member. Locks all memberships of the workspace until the end of the transaction: if two owners leave
 * concurrently, one must fail.
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
 * Ensures that a workspace keeps an owner.
 *
 * @throws AppError `conflict`
 */
export async function assertNotLastOwner(tx: Db, workspaceId: string): Promise<void> {
  if ((await countOwners(tx, workspaceId)) < 2) {
    throw new AppError("conflict", { message: "This is the last owner. Make another member an owner first" });
  }
}
