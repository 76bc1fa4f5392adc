import type { Adapter } from "next-auth/adapters";

import { type Database, database } from "@/db/client";
import { AppError } from "@/lib/errors";
import { drizzleAdapter } from "./queries-adapter";
import { sessionHash } from "./session-hash";

const NEEDED = ["createSession", "getSessionAndUser", "updateSession", "deleteSession", "getUserByEmail"] as const;

const hasNeeded = (adapter: Adapter): adapter is Adapter & Required<Pick<Adapter, (typeof NEEDED)[number]>> =>
  NEEDED.every((name) => name in adapter);

/**
 * The adapter of next-auth, with two changes: session tokens are stored as hashes, and signing in
 * never makes a user, so that only known addresses get in whatever the provider says.
 */
export function createAuthAdapter(db: Database = database()): Adapter {
  const inner = drizzleAdapter(db);
  if (!hasNeeded(inner)) throw new Error("the adapter of next-auth lacks a method");
  return {
    ...inner,
    createUser: () => Promise.reject(new AppError("forbidden", { message: "This address is not known here" })),
    getUserByEmail: (email) => inner.getUserByEmail(email.toLowerCase()),
    async createSession(session) {
      await inner.createSession({ ...session, sessionToken: sessionHash(session.sessionToken) });
      return session;
    },
    async getSessionAndUser(sessionToken) {
      const found = await inner.getSessionAndUser(sessionHash(sessionToken));
      return found && { ...found, session: { ...found.session, sessionToken } };
    },
    async updateSession(session) {
      const updated = await inner.updateSession({ ...session, sessionToken: sessionHash(session.sessionToken) });
      return updated && { ...updated, sessionToken: session.sessionToken };
    },
    async deleteSession(sessionToken) {
      await inner.deleteSession(sessionHash(sessionToken));
    },
  };
}
