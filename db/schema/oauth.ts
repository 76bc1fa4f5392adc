import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { workspaces } from "./workspaces";

/** Records of the authorization server: registrations, pending requests, grants, codes and tokens. */
export const oauthRecords = pgTable(
  "oauth_records",
  {
    /** Model name of the protocol library, e.g. `RefreshToken`. */
    model: text("model").notNull(),
    /** SHA-256 of the identifier in base64url if the identifier is a credential; otherwise the identifier itself. */
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

/** Access that a person granted to a client in one workspace. */
export const oauthConnections = pgTable(
  "oauth_connections",
  {
    workspaceId: id("workspace", "workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    grantId: text("grant_id").notNull(),
    userId: text("user_id").notNull(),
    clientId: text("client_id").notNull(),
    /** Name given by the client itself. */
    clientName: text("client_name").notNull(),
    /** Host that vouches for the client by serving its metadata; null for a self-registered client. */
    verifiedHost: text("verified_host"),
    /** Where codes are sent: a host, or an application's URL scheme. */
    redirectTarget: text("redirect_target").notNull(),
    /** Granted scopes, separated by spaces. */
    scope: text("scope").notNull(),
    connectedAt: instant("connected_at").notNull().defaultNow(),
    /** Updated at most once a minute. */
    lastUsedAt: instant("last_used_at"),
    /** Last successful tool call; a person connecting a client waits for the first one. */
    lastCalledAt: instant("last_called_at"),
    lastTool: text("last_tool"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.grantId] }),
    index("oauth_connections_grant").on(table.grantId),
  ],
);

/** Tool calls by connected clients: who read what through them. Of the arguments only the imprint is stored. */
export const toolCalls = pgTable(
  "tool_calls",
  {
    workspaceId: id("workspace", "workspace_id").notNull(),
    callId: id("toolCall", "call_id").notNull(),
    calledAt: instant("called_at").notNull(),
    grantId: text("grant_id").notNull(),
    userId: text("user_id").notNull(),
    clientId: text("client_id").notNull(),
    /** The client's own name at that time. */
    clientName: text("client_name").notNull(),
    tool: text("tool").notNull(),
    imprint: id("imprint", "imprint"),
    /** Error code of the refusal; empty if the call succeeded. */
    code: text("code").notNull(),
    durationMs: integer("duration_ms").notNull(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.calledAt, table.callId] }),
    index("tool_calls_at").on(table.calledAt),
  ],
);

/** The operator's settings for the instance's MCP server: one row, or none if nothing was set. */
export const mcpPolicy = pgTable("mcp_policy", {
  scope: text("scope", { enum: ["instance"] }).primaryKey(),
  isEnabled: boolean("is_enabled").notNull(),
  /** Allowed redirect targets; empty to allow any that a client registers. */
  redirectRules: text("redirect_rules").array().notNull(),
  changedAt: instant("changed_at")
    .notNull()
    .default(sql`clock_timestamp()`),
});

/**
 * Client metadata documents as last fetched, kept for times when their hosts are unreachable, and assumed documents of
 * clients on the person's own machine. The row with an empty client id records whether documents can be reached at all.
 */
export const clientDocuments = pgTable("client_documents", {
  clientId: text("client_id").primaryKey(),
  /** Normalised as the protocol library accepted it; empty in the row without a document. */
  document: text("document").notNull(),
  /** Null while the document is assumed. */
  readAt: instant("read_at"),
  /** When a fetch last failed, and for which client; null after a success. */
  failedAt: instant("failed_at"),
  failedClientId: text("failed_client_id"),
});
