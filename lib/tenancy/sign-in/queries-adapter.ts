import { DrizzleAdapter } from "@auth/drizzle-adapter";

import type { Database } from "@/db/client";
import { accounts, sessions, users, verificationTokens } from "@/db/schema";

/** The adapter of next-auth over our tables. */
export const drizzleAdapter = (db: Database) =>
  DrizzleAdapter(db, {
    usersTable: users,
    accountsTable: accounts,
    sessionsTable: sessions,
    verificationTokensTable: verificationTokens,
  });
