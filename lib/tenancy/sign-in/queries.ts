import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, ne, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { accounts, sessions, setupLinks, users, verificationTokens } from "@/db/schema";

/** Advisory lock that serialises first set-ups, so that exactly one completes. */
const SETUP_LOCK = 727277;

/** Number of unused set-up links to keep; each start prints a new one. */
const KEPT_LINKS = 10;

export async function insertVerificationToken(
  tx: Db,
  row: { identifier: string; tokenHash: string; seconds: number },
): Promise<Date> {
  const [stored] = await tx
    .insert(verificationTokens)
    .values({
      identifier: row.identifier,
      token: row.tokenHash,
      expires: sql`now() + make_interval(secs => ${row.seconds})`,
    })
    .returning({ expires: verificationTokens.expires });
  if (!stored) throw new Error("the sign-in token was not stored");
  return stored.expires;
}

/** False if the token is unknown or expired. It is deleted in either case. */
export async function useVerificationToken(tx: Db, identifier: string, tokenHash: string): Promise<boolean> {
  const [row] = await tx
    .delete(verificationTokens)
    .where(and(eq(verificationTokens.identifier, identifier), eq(verificationTokens.token, tokenHash)))
    .returning({ isLive: sql<boolean>`${verificationTokens.expires} > clock_timestamp()` });
  return row?.isLive ?? false;
}

type NewSession = Pick<typeof sessions.$inferInsert, "sessionToken" | "userId" | "expires" | "userAgent">;

/**
 * Stores a session and returns its id. It counts as started no earlier than the person's sessions may be: otherwise, once
 * the clock is set back, it would end at once.
 */
export async function insertSession(tx: Db, session: NewSession): Promise<string> {
  const createdAt = sql`greatest(clock_timestamp(), (select ${users.sessionsFrom} from ${users} where ${users.id} = ${session.userId}))`;
  const [row] = await tx
    .insert(sessions)
    .values({ ...session, createdAt })
    .returning({ sessionId: sessions.sessionId });
  if (!row) throw new Error("the session was not stored");
  return row.sessionId;
}

/** The user and id of the deleted session; undefined if there was none. */
export async function deleteSession(tx: Db, sessionTokenHash: string) {
  const [row] = await tx
    .delete(sessions)
    .where(eq(sessions.sessionToken, sessionTokenHash))
    .returning({ userId: sessions.userId, sessionId: sessions.sessionId });
  return row;
}

export async function findPerson(db: Db, userId: string) {
  const [row] = await db
    .select({ email: users.email, isOperator: users.isOperator })
    .from(users)
    .where(eq(users.id, userId));
  return row;
}

/** Not expired, and not started before the time up to which the person's sessions were ended. */
const isLive = and(gt(sessions.expires, sql`clock_timestamp()`), gte(sessions.createdAt, users.sessionsFrom));

const isOf = (userId: string) => eq(sessions.userId, userId);

/** A person's active sessions, newest first. */
export function listSessionsOf(db: Db, userId: string) {
  return db
    .select({
      sessionId: sessions.sessionId,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expires,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(isOf(userId), isLive))
    .orderBy(desc(sessions.createdAt));
}

export async function deleteSessionOf(tx: Db, userId: string, sessionId: string): Promise<boolean> {
  const rows = await tx
    .delete(sessions)
    .where(and(isOf(userId), eq(sessions.sessionId, sessionId)))
    .returning({ sessionId: sessions.sessionId });
  return rows.length > 0;
}

/** Deletes a person's sessions, optionally except one; returns their number. */
export async function deleteSessionsOf(tx: Db, userId: string, keptSessionId: string | undefined): Promise<number> {
  const others = keptSessionId === undefined ? undefined : ne(sessions.sessionId, keptSessionId);
  const rows = await tx
    .delete(sessions)
    .where(and(isOf(userId), others))
    .returning({ sessionId: sessions.sessionId });
  return rows.length;
}

/**
 * Records that a person has verified their e-mail address. The first time, this ends all earlier sessions: they were
 * opened with links that someone else may have used.
 */
export async function proveAddress(db: Db, userId: string): Promise<void> {
  await db
    .update(users)
    .set({ emailVerified: sql`clock_timestamp()`, sessionsFrom: sql`clock_timestamp()` })
    .where(and(eq(users.id, userId), isNull(users.emailVerified)));
}

export async function isProviderLinked(
  db: Db,
  { provider, providerAccountId }: { provider: string; providerAccountId: string },
): Promise<boolean> {
  const rows = await db
    .select({ userId: accounts.userId })
    .from(accounts)
    .where(and(eq(accounts.provider, provider), eq(accounts.providerAccountId, providerAccountId)));
  return rows.length > 0;
}

/** Identity providers linked to a person. */
export function listProvidersOf(db: Db, userId: string) {
  return db
    .selectDistinct({ provider: accounts.provider })
    .from(accounts)
    .where(eq(accounts.userId, userId))
    .orderBy(asc(accounts.provider));
}

export async function deleteProviderOf(tx: Db, userId: string, provider: string): Promise<boolean> {
  const rows = await tx
    .delete(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.provider, provider)))
    .returning({ provider: accounts.provider });
  return rows.length > 0;
}

/** The person of an active session. */
export async function findSessionUser(db: Db, sessionTokenHash: string) {
  const [row] = await db
    .select({
      userId: users.id,
      email: users.email,
      name: users.name,
      isOperator: users.isOperator,
      sessionId: sessions.sessionId,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.sessionToken, sessionTokenHash), isLive));
  return row;
}

/** Deletes expired sessions and sign-in tokens; returns the number of rows of the larger batch. */
export async function deleteEnded(db: Db, limit: number): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(
      inArray(
        sessions.sessionToken,
        db
          .select({ token: sessions.sessionToken })
          .from(sessions)
          .where(lt(sessions.expires, sql`now()`))
          .limit(limit),
      ),
    )
    .returning({ userId: sessions.userId });
  const tokens = await db.execute(sql`
    delete from ${verificationTokens} where (identifier, token) in (
      select identifier, token from ${verificationTokens} where expires < now() limit ${limit})
    returning 1`);
  return Math.max(ended.length, tokens.length);
}

export async function insertSetupLink(tx: Db, tokenHash: Uint8Array): Promise<void> {
  await tx.insert(setupLinks).values({ tokenHash });
  await tx.execute(sql`
    delete from ${setupLinks} where used_at is null and token_hash not in (
      select token_hash from ${setupLinks} where used_at is null order by created_at desc limit ${KEPT_LINKS})`);
}

export async function lockSetup(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SETUP_LOCK})`);
}

export async function findUnusedSetupLink(db: Db, tokenHash: Uint8Array): Promise<boolean> {
  const rows = await db
    .select({ createdAt: setupLinks.createdAt })
    .from(setupLinks)
    .where(and(eq(setupLinks.tokenHash, tokenHash), isNull(setupLinks.usedAt)));
  return rows.length > 0;
}

/** False if the link is unknown or used. */
export async function useSetupLink(tx: Db, tokenHash: Uint8Array): Promise<boolean> {
  const rows = await tx
    .update(setupLinks)
    .set({ usedAt: sql`now()` })
    .where(and(eq(setupLinks.tokenHash, tokenHash), isNull(setupLinks.usedAt)))
    .returning({ usedAt: setupLinks.usedAt });
  return rows.length > 0;
}
