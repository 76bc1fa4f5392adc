import { and, asc, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { invitations, users, workspaces } from "@/db/schema";

const isOpen = sql`${invitations.expiresAt} > statement_timestamp()`;
const expiry = (days: number) => sql`statement_timestamp() + make_interval(days => ${days})`;

type NewInvitation = Omit<typeof invitations.$inferInsert, "createdAt" | "expiresAt"> & { days: number };

/** Returns the expiry; undefined if the address has a pending invitation. An expired one is replaced. */
export async function insertInvitation(tx: Db, { days, ...row }: NewInvitation): Promise<Date | undefined> {
  await tx
    .delete(invitations)
    .where(and(eq(invitations.workspaceId, row.workspaceId), eq(invitations.email, row.email), sql`not (${isOpen})`));
  const [stored] = await tx
    .insert(invitations)
    .values({ ...row, expiresAt: expiry(days) })
    .onConflictDoNothing({ target: [invitations.workspaceId, invitations.email] })
    .returning({ expiresAt: invitations.expiresAt });
  return stored?.expiresAt;
}

const ofWorkspace = (workspaceId: string, invitationId: string) =>
  and(eq(invitations.workspaceId, workspaceId), eq(invitations.invitationId, invitationId));

/** Replaces the link of an invitation. */
export async function updateInvitationLink(
  tx: Db,
  workspaceId: string,
  {
    invitationId,
    tokenHash,
    invitedBy,
    days,
  }: { invitationId: string; tokenHash: Uint8Array; invitedBy: string; days: number },
) {
  const [row] = await tx
    .update(invitations)
    .set({ tokenHash, invitedBy, expiresAt: expiry(days) })
    .where(ofWorkspace(workspaceId, invitationId))
    .returning({ email: invitations.email, expiresAt: invitations.expiresAt });
  return row;
}

export async function findInvitation(db: Db, workspaceId: string, invitationId: string) {
  const [row] = await db
    .select({ email: invitations.email, role: invitations.role, canSeeAddresses: invitations.canSeeAddresses })
    .from(invitations)
    .where(ofWorkspace(workspaceId, invitationId));
  return row;
}

export async function deleteInvitation(tx: Db, workspaceId: string, invitationId: string) {
  const [row] = await tx
    .delete(invitations)
    .where(ofWorkspace(workspaceId, invitationId))
    .returning({ email: invitations.email, role: invitations.role });
  return row;
}

/** Deletes and returns the invitation of a link, so that only one call can accept it. */
export async function takeInvitation(tx: Db, tokenHash: Uint8Array) {
  const [row] = await tx
    .delete(invitations)
    .where(and(eq(invitations.tokenHash, tokenHash), isOpen))
    .returning({
      workspaceId: invitations.workspaceId,
      invitationId: invitations.invitationId,
      email: invitations.email,
      role: invitations.role,
      canSeeAddresses: invitations.canSeeAddresses,
      invitedBy: invitations.invitedBy,
    });
  return row;
}

/** The invitation of a link, before it is accepted. */
export async function findOpenInvitation(db: Db, tokenHash: Uint8Array) {
  const [row] = await db
    .select({
      workspaceId: invitations.workspaceId,
      workspaceName: workspaces.name,
      email: invitations.email,
      role: invitations.role,
      expiresAt: invitations.expiresAt,
      isKnown: sql<boolean>`exists (select 1 from ${users} where ${users.email} = ${invitations.email})`,
    })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.workspaceId, invitations.workspaceId))
    .where(and(eq(invitations.tokenHash, tokenHash), isOpen));
  return row;
}

/** Invitations not yet accepted, including expired ones. */
export function listPendingInvitations(db: Db, workspaceId: string) {
  return db
    .select({
      invitationId: invitations.invitationId,
      email: invitations.email,
      role: invitations.role,
      canSeeAddresses: invitations.canSeeAddresses,
      invitedBy: invitations.invitedBy,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
      isExpired: sql<boolean>`not (${isOpen})`,
    })
    .from(invitations)
    .where(eq(invitations.workspaceId, workspaceId))
    .orderBy(asc(invitations.createdAt), asc(invitations.invitationId));
}
