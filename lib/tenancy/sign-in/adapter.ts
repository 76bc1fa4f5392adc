import type { Adapter } from "next-auth/adapters";

import { type Database, database } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { deleteSession, insertSession, proveAddress } from "./queries";
import { drizzleAdapter } from "./queries-adapter";
import { recordSession } from "./record-session";
import { sessionHash } from "./session-hash";

const NEEDED = ["getUserByEmail", "linkAccount"] as const;

const hasNeeded = (adapter: Adapter): adapter is Adapter & Required<Pick<Adapter, (typeof NEEDED)[number]>> =>
  NEEDED.every((name) => name in adapter);

const MAX_USER_AGENT_CHARACTERS = 300;

/** Facts about a sign-in for the audit log and the list of sessions. */
export type SignInFacts = Pick<Context, "requestId" | "address"> & {
  userAgent?: string;
  /** The sign-in method; called once it is known. */
  method?: () => string | undefined;
};

/**
 * next-auth's adapter with these changes: session tokens are stored as hashes; signing in never creates a user, so only
 * known e-mail addresses can sign in; a provider account is never linked to the current session's user; the first
 * verification of an address ends earlier sessions; sign-in and sign-out are audited. Verification tokens are left to
 * `useLoginLink`, so that no endpoint of next-auth accepts one.
 */
export function createAuthAdapter(db: Database = database(), facts: SignInFacts = {}): Adapter {
  const { userAgent = "", method, ...request } = facts;
  const inner = drizzleAdapter(db);
  if (!hasNeeded(inner)) throw new Error("the adapter of next-auth lacks a method");
  return {
    ...inner,
    createUser: () => Promise.reject(new AppError("forbidden", { message: "This e-mail address is not known here" })),
    getUserByEmail: (email) => inner.getUserByEmail(email.toLowerCase()),
    // Sign-in links are created by `requestLoginLink`, not by next-auth.
    createVerificationToken: () => Promise.resolve(null),
    useVerificationToken: () => Promise.resolve(null),
    async linkAccount(account) {
      await inner.linkAccount(account);
      await proveAddress(db, account.userId);
    },
    async createSession(session) {
      await db.transaction(async (tx) => {
        const sessionId = await insertSession(tx, {
          ...session,
          sessionToken: sessionHash(session.sessionToken),
          userAgent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS),
        });
        const { userId } = session;
        await recordSession(tx, request, { userId, sessionId }, { action: "session.sign_in", method: method?.() });
      });
      return session;
    },
    getSessionAndUser: () => Promise.resolve(null),
    updateSession: () => Promise.resolve(null),
    async deleteSession(sessionToken) {
      await db.transaction(async (tx) => {
        const ended = await deleteSession(tx, sessionHash(sessionToken));
        if (ended) await recordSession(tx, request, ended, { action: "session.sign_out" });
      });
    },
  };
}
