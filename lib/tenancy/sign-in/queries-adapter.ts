import { DrizzleAdapter } from "@auth/drizzle-adapter";

import type { Database } from "@/db/client";
import { accounts, sessions, users, verificationTokens } from "@/db/schema";

/** next-auth's Drizzle adapter on our tables. */
export const drizzleAdapter = (db: Database) =>
  DrizzleAdapter(db, {
    usersTable: users,
    accountsTable: accounts,
    sessionsTable: sessions,
    verificationTokensTable: verificationTokens,
  });
