import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { bytes, id, instant } from "./columns";

export const users = pgTable("users", {
  id: text("id").primaryKey(),
  /** Lower case. */
  email: text("email").notNull().unique(),
  name: text("name"),
  image: text("image"),
  /** When the person first proved that they read this mailbox; null if they only used links handed over by others. */
  emailVerified: instant("email_verified"),
  /** May manage the whole instance, not only the workspaces they are a member of. */
  isOperator: boolean("is_operator").notNull().default(false),
  /** Sessions started before this time are invalid. */
  sessionsFrom: instant("sessions_from").notNull().defaultNow(),
  createdAt: instant("created_at").notNull().defaultNow(),
});

export const accounts = pgTable(
  "accounts",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    type: text("type").notNull(),
    provider: text("provider").notNull(),
    providerAccountId: text("provider_account_id").notNull(),
    refresh_token: text("refresh_token"),
    access_token: text("access_token"),
    expires_at: integer("expires_at"),
    token_type: text("token_type"),
    scope: text("scope"),
    id_token: text("id_token"),
    session_state: text("session_state"),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerAccountId] })],
);

export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the cookie's token, in hex. */
    sessionToken: text("session_token").primaryKey(),
    /** Public name of the session, unlike its token. */
    sessionId: id("session", "session_id")
      .notNull()
      .default(sql`gen_random_uuid()`),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    expires: instant("expires").notNull(),
    /** The browser's `User-Agent` at sign-in. */
    userAgent: text("user_agent").notNull().default(""),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

export const verificationTokens = pgTable(
  "verification_tokens",
  {
    identifier: text("identifier").notNull(),
    /** SHA-256 of the link's token and `AUTH_SECRET`, in hex. */
    token: text("token").notNull(),
    expires: instant("expires").notNull(),
  },
  (table) => [primaryKey({ columns: [table.identifier, table.token] })],
);

/** The one-time set-up link of the first start. */
export const setupLinks = pgTable("setup_links", {
  tokenHash: bytes("token_hash").primaryKey(),
  createdAt: instant("created_at").notNull().defaultNow(),
  usedAt: instant("used_at"),
});
