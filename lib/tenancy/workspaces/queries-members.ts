import { and, asc, count, eq, isNull, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { members, users, workspaces } from "@/db/schema";
import type { Role } from "./domain/permissions";

export async function findUserByEmail(db: Db, email: string) {
  const [row] = await db
    .select({ userId: users.id, isOperator: users.isOperator })
    .from(users)
    .where(eq(users.email, email));
  return row;
}

export async function findUserById(db: Db, userId: string) {
  const [row] = await db
    .select({ userId: users.id, email: users.email, isOperator: users.isOperator })
    .from(users)
    .where(eq(users.id, userId));
  return row;
}

/**
 * Ends the sessions of a person without a verified e-mail address: they were opened with an invitation link from someone
 * else, and must not give access to a second workspace.
 */
export async function endUnprovenSessions(tx: Db, userId: string): Promise<void> {
  await tx
    .update(users)
    .set({ sessionsFrom: sql`clock_timestamp()` })
    .where(and(eq(users.id, userId), isNull(users.emailVerified)));
}

/** The user with this e-mail address, created if new. */
export async function ensureUser(
  tx: Db,
  row: { userId: string; email: string; isOperator?: boolean },
): Promise<string> {
  await tx
    .insert(users)
    .values({ id: row.userId, email: row.email, isOperator: row.isOperator ?? false })
    .onConflictDoNothing({ target: users.email });
  const found = await findUserByEmail(tx, row.email);
  if (!found) throw new Error("the inserted user was not found");
  if (row.isOperator && !found.isOperator)
    await tx.update(users).set({ isOperator: true }).where(eq(users.id, found.userId));
  return found.userId;
}

/** False if the person is already a member. */
export async function insertMember(
  tx: Db,
  row: { workspaceId: string; userId: string; role: Role; canSeeAddresses: boolean },
): Promise<boolean> {
  const inserted = await tx.insert(members).values(row).onConflictDoNothing().returning({ userId: members.userId });
  return inserted.length > 0;
}

export async function findMember(db: Db, workspaceId: string, userId: string) {
  const [row] = await db
    .select({ role: members.role, canSeeAddresses: members.canSeeAddresses })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
  return row;
}

export const isMember = async (db: Db, workspaceId: string, userId: string): Promise<boolean> =>
  (await findMember(db, workspaceId, userId)) !== undefined;

export async function findMemberByEmail(db: Db, workspaceId: string, email: string) {
  const [row] = await db
    .select({ userId: members.userId })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, workspaceId), eq(users.email, email)));
  return row;
}

export async function updateMember(
  tx: Db,
  workspaceId: string,
  userId: string,
  change: { role: Role; canSeeAddresses: boolean },
): Promise<void> {
  await tx
    .update(members)
    .set(change)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
}

export async function deleteMember(tx: Db, workspaceId: string, userId: string): Promise<void> {
  await tx.delete(members).where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
}

export async function countOwners(tx: Db, workspaceId: string): Promise<number> {
  const [row] = await tx
    .select({ owners: count() })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.role, "owner")));
  return row?.owners ?? 0;
}

/** Whether any workspace has an owner. */
export async function hasAnyOwner(db: Db): Promise<boolean> {
  const rows = await db.select({ userId: members.userId }).from(members).where(eq(members.role, "owner")).limit(1);
  return rows.length > 0;
}

/** Whether there are neither users nor workspaces. */
export async function isEmptyInstance(db: Db): Promise<boolean> {
  const [person] = await db.select({ userId: users.id }).from(users).limit(1);
  const [workspace] = await db.select({ workspaceId: workspaces.workspaceId }).from(workspaces).limit(1);
  return person === undefined && workspace === undefined;
}

export function listMembersOfWorkspace(db: Db, workspaceId: string) {
  return db
    .select({
      userId: members.userId,
      email: users.email,
      name: users.name,
      role: members.role,
      canSeeAddresses: members.canSeeAddresses,
      createdAt: members.createdAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.workspaceId, workspaceId))
    .orderBy(asc(members.createdAt), asc(members.userId));
}
