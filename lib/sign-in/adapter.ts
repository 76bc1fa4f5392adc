import type { Adapter } from "next-auth/adapters";

import { type Database, database } from "@/db/client";
import { AppError } from "@/lib/errors";
import { deleteSession, insertSession, proveAddress } from "./queries";
import { drizzleAdapter } from "./queries-adapter";
import { sessionHash } from "./session-hash";

const NEEDED = ["getUser", "getUserByEmail", "linkAccount"] as const;

const hasNeeded = (adapter: Adapter): adapter is Adapter & Required<Pick<Adapter, (typeof NEEDED)[number]>> =>
  NEEDED.every((name) => name in adapter);

/** Enough for every browser; the rest is noise. */
const LONGEST_USER_AGENT = 300;

/**
 * The adapter of next-auth, with these changes: session tokens are stored as hashes; signing in never makes a user,
 * so that only known addresses get in whatever a provider says; a provider's answer signs in whom it names and is
 * never added to whoever is signed in already; the first proof of an address ends the sessions from before.
 */
export function createAuthAdapter(db: Database = database(), userAgent = ""): Adapter {
  const inner = drizzleAdapter(db);
  if (!hasNeeded(inner)) throw new Error("the adapter of next-auth lacks a method");
  return {
    ...inner,
    createUser: () => Promise.reject(new AppError("forbidden", { message: "This address is not known here" })),
    getUserByEmail: (email) => inner.getUserByEmail(email.toLowerCase()),
    // Called when somebody has just come in by a link: the only change that next-auth makes is the proof.
    async updateUser({ id }) {
      await proveAddress(db, id);
      const user = await inner.getUser(id);
      if (!user) throw new Error("the person who signed in is gone");
      return user;
    },
    async linkAccount(account) {
      await inner.linkAccount(account);
      await proveAddress(db, account.userId);
    },
    async createSession(session) {
      await insertSession(db, {
        ...session,
        sessionToken: sessionHash(session.sessionToken),
        userAgent: userAgent.slice(0, LONGEST_USER_AGENT),
      });
      return session;
    },
    getSessionAndUser: () => Promise.resolve(null),
    updateSession: () => Promise.resolve(null),
    async deleteSession(sessionToken) {
      await deleteSession(db, sessionHash(sessionToken));
    },
  };
}
