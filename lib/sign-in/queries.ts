import { and, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { sessions, setupLinks, users, verificationTokens } from "@/db/schema";

/** Advisory lock of the first set-up: exactly one completes it. */
const SETUP_LOCK = 727277;

/** Unused set-up links that are kept; each start prints a new one. */
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

/** The person behind a session that has not ended. */
export async function findSessionUser(db: Db, sessionTokenHash: string) {
  const [row] = await db
    .select({ userId: users.id, email: users.email, name: users.name, isOperator: users.isOperator })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.sessionToken, sessionTokenHash), gt(sessions.expires, sql`now()`)));
  return row;
}

/** Deletes sessions and sign-in tokens that have ended; the number of rows deleted. */
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
    delete from ${verificationTokens} where ctid = any (array(
      select ctid from ${verificationTokens} where expires < now() limit ${limit}))
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

/** Whether the link was there and unused until now. */
export async function useSetupLink(tx: Db, tokenHash: Uint8Array): Promise<boolean> {
  const rows = await tx
    .update(setupLinks)
    .set({ usedAt: sql`now()` })
    .where(and(eq(setupLinks.tokenHash, tokenHash), isNull(setupLinks.usedAt)))
    .returning({ usedAt: setupLinks.usedAt });
  return rows.length > 0;
}
