import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { workspaces } from "./workspaces";

/** What the authorization server keeps: registrations, requests under way, grants, codes and tokens. */
export const oauthRecords = pgTable(
  "oauth_records",
  {
    /** As the protocol library names it, e.g. `RefreshToken`. */
    model: text("model").notNull(),
    /** SHA-256 of the identifier in base64url where the identifier is a credential; else the identifier. */
    recordId: text("record_id").notNull(),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull(),
    grantId: text("grant_id"),
    uid: text("uid"),
    expiresAt: instant("expires_at"),
    consumedAt: instant("consumed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.recordId] }),
    index("oauth_records_grant").on(table.grantId),
    index("oauth_records_uid").on(table.model, table.uid),
    index("oauth_records_expiry").on(table.expiresAt),
  ],
);

/** What a person allowed a client to do in one workspace. */
export const oauthConnections = pgTable(
  "oauth_connections",
  {
    workspaceId: id("workspace", "workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    grantId: text("grant_id").notNull(),
    userId: text("user_id").notNull(),
    clientId: text("client_id").notNull(),
    /** As the client calls itself. */
    clientName: text("client_name").notNull(),
    /** Host that vouches for the client by serving its metadata; null for a client that registered itself. */
    verifiedHost: text("verified_host"),
    /** Where codes are sent: host, or scheme of an application. */
    redirectTarget: text("redirect_target").notNull(),
    /** Granted scopes, separated by spaces. */
    scope: text("scope").notNull(),
    connectedAt: instant("connected_at").notNull().defaultNow(),
    /** Noted at most once a minute. */
    lastUsedAt: instant("last_used_at"),
    /** The last call of a tool that was answered: whoever connects a client waits for the first. */
    lastCalledAt: instant("last_called_at"),
    lastTool: text("last_tool"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.grantId] }),
    index("oauth_connections_grant").on(table.grantId),
  ],
);

/** Calls of tools by connected clients: who read what through them. Nothing of their arguments but the imprint. */
export const toolCalls = pgTable(
  "tool_calls",
  {
    workspaceId: id("workspace", "workspace_id").notNull(),
    callId: id("toolCall", "call_id").notNull(),
    calledAt: instant("called_at").notNull(),
    grantId: text("grant_id").notNull(),
    userId: text("user_id").notNull(),
    clientId: text("client_id").notNull(),
    /** As the client called itself then. */
    clientName: text("client_name").notNull(),
    tool: text("tool").notNull(),
    imprint: id("imprint", "imprint"),
    /** Error code of the refusal; empty when the call was answered. */
    code: text("code").notNull(),
    durationMs: integer("duration_ms").notNull(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.calledAt, table.callId] }),
    index("tool_calls_at").on(table.calledAt),
  ],
);

/** What the operator set for the MCP server of the instance: one row, or none while nothing was set. */
export const mcpPolicy = pgTable("mcp_policy", {
  scope: text("scope", { enum: ["instance"] }).primaryKey(),
  isEnabled: boolean("is_enabled").notNull(),
  /** Where codes may be sent; empty for wherever a client registers. */
  redirectRules: text("redirect_rules").array().notNull(),
  changedAt: instant("changed_at")
    .notNull()
    .default(sql`clock_timestamp()`),
});

/**
 * Metadata documents of clients as they were last read, kept for the time in which their hosts cannot be reached, and
 * those that are assumed of clients on the person's own machine. The row of an empty client id holds what was last
 * learnt about reaching documents at all.
 */
export const clientDocuments = pgTable("client_documents", {
  clientId: text("client_id").primaryKey(),
  /** Normalised, as the protocol library took it; empty in the row that has none. */
  document: text("document").notNull(),
  /** Empty while the document is assumed. */
  readAt: instant("read_at"),
  /** When a document could not be reached, and whose that was; empty since one was. */
  failedAt: instant("failed_at"),
  failedClientId: text("failed_client_id"),
});
