import { and, asc, desc, eq, gt, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { oauthConnections, oauthRecords } from "@/db/schema";

/** Days after which a person has to approve a client again. */
export const GRANT_DAYS = 90;

type NewConnection = Omit<
  typeof oauthConnections.$inferInsert,
  "connectedAt" | "lastUsedAt" | "lastCalledAt" | "lastTool" | "expiresAt"
>;

export async function insertConnection(tx: Db, connection: NewConnection): Promise<void> {
  await tx
    .insert(oauthConnections)
    .values({ ...connection, expiresAt: sql`clock_timestamp() + make_interval(days => ${GRANT_DAYS})` });
}

const isLive = gt(oauthConnections.expiresAt, sql`clock_timestamp()`);

const shown = {
  grantId: oauthConnections.grantId,
  userId: oauthConnections.userId,
  clientId: oauthConnections.clientId,
  clientName: oauthConnections.clientName,
  verifiedHost: oauthConnections.verifiedHost,
  redirectTarget: oauthConnections.redirectTarget,
  scope: oauthConnections.scope,
  connectedAt: oauthConnections.connectedAt,
  lastUsedAt: oauthConnections.lastUsedAt,
  lastCalledAt: oauthConnections.lastCalledAt,
  lastTool: oauthConnections.lastTool,
  expiresAt: oauthConnections.expiresAt,
};

/** Lists a workspace's connections, newest first; of one person if `userId` is given. */
export function listConnections(db: Db, workspaceId: string, userId?: string) {
  return db
    .select(shown)
    .from(oauthConnections)
    .where(
      and(
        eq(oauthConnections.workspaceId, workspaceId),
        userId === undefined ? undefined : eq(oauthConnections.userId, userId),
        isLive,
      ),
    )
    .orderBy(desc(oauthConnections.connectedAt), asc(oauthConnections.grantId));
}

export async function findConnection(db: Db, workspaceId: string, grantId: string) {
  const [row] = await db
    .select(shown)
    .from(oauthConnections)
    .where(and(eq(oauthConnections.workspaceId, workspaceId), eq(oauthConnections.grantId, grantId), isLive));
  return row;
}

/** Whose connection a grant is; undefined if it has ended. */
export async function findConnectionOfGrant(db: Db, grantId: string) {
  const { workspaceId, userId, clientId } = oauthConnections;
  const [row] = await db
    .select({ workspaceId, userId, clientId })
    .from(oauthConnections)
    .where(and(eq(oauthConnections.grantId, grantId), isLive));
  return row;
}

/** Finds the connection of an unexpired access token, with the token's claims, in one round trip. */
export async function findTokenConnection(db: Db, tokenHash: string) {
  const [row] = await db
    .select({
      workspaceId: oauthConnections.workspaceId,
      userId: oauthConnections.userId,
      clientId: oauthConnections.clientId,
      clientName: oauthConnections.clientName,
      grantId: oauthConnections.grantId,
      payload: oauthRecords.payload,
      isUseStale: sql<boolean>`coalesce(${oauthConnections.lastUsedAt} < clock_timestamp() - interval '1 minute', true)`,
    })
    .from(oauthRecords)
    .innerJoin(oauthConnections, eq(oauthConnections.grantId, oauthRecords.grantId))
    .where(
      and(
        eq(oauthRecords.model, "AccessToken"),
        eq(oauthRecords.recordId, tokenHash),
        gt(oauthRecords.expiresAt, sql`clock_timestamp()`),
        isLive,
      ),
    );
  return row;
}

export async function touchConnection(db: Db, workspaceId: string, grantId: string): Promise<void> {
  await db
    .update(oauthConnections)
    .set({ lastUsedAt: sql`clock_timestamp()` })
    .where(and(eq(oauthConnections.workspaceId, workspaceId), eq(oauthConnections.grantId, grantId)));
}
