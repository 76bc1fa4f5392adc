import {
  boolean,
  foreignKey,
  index,
  inet,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";

import { bytes, id, instant } from "./columns";

export const workspaces = pgTable("workspaces", {
  workspaceId: id("workspace", "workspace_id").primaryKey(),
  name: text("name").notNull(),
  plan: text("plan", { enum: ["trial", "lite", "pro", "enterprise"] }).notNull(),
  /** Days after which its visits are deleted; null to keep them as long as the instance does. */
  retentionDays: integer("retention_days"),
  /** Whether the audit log records each Report that a person opens. */
  logsReportViews: boolean("logs_report_views").notNull().default(false),
  createdAt: instant("created_at").notNull().defaultNow(),
  /** Percentage of demo data stored so far, in a demo workspace; null in all others. */
  demoPercent: smallint("demo_percent"),
});

const workspaceId = () => id("workspace", "workspace_id").notNull();

export const members = pgTable(
  "members",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    userId: text("user_id").notNull(),
    role: text("role", { enum: ["owner", "admin", "developer", "analyst"] }).notNull(),
    /** Whether Reports show IP addresses and locations to this member. */
    canSeeAddresses: boolean("can_see_addresses").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index("members_user").on(table.userId)],
);

/** Invitation links to become a member. */
export const invitations = pgTable(
  "invitations",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    invitationId: id("invitation", "invitation_id").notNull(),
    /** SHA-256 of the link's token. */
    tokenHash: bytes("token_hash").notNull(),
    email: text("email").notNull(),
    role: text("role", { enum: ["owner", "admin", "developer", "analyst"] }).notNull(),
    canSeeAddresses: boolean("can_see_addresses").notNull(),
    /** User id; empty if created by the operator. */
    invitedBy: text("invited_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.invitationId] }),
    unique("invitations_email").on(table.workspaceId, table.email),
    uniqueIndex("invitations_token").on(table.tokenHash),
  ],
);

export const webApps = pgTable(
  "web_apps",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    webAppId: id("webApp", "web_app_id").notNull(),
    environmentId: id("environment", "environment_id").notNull(),
    name: text("name").notNull(),
    state: text("state", { enum: ["active", "paused", "archived"] })
      .notNull()
      .default("active"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.webAppId] })],
);

/** Maps an environment id to its workspace: the only table read before the workspace is known. */
export const environmentLookup = pgTable("environment_lookup", {
  environmentId: id("environment", "environment_id").primaryKey(),
  workspaceId: workspaceId(),
  webAppId: id("webApp", "web_app_id").notNull(),
});

export const allowedOrigins = pgTable(
  "allowed_origins",
  {
    workspaceId: workspaceId(),
    webAppId: id("webApp", "web_app_id").notNull(),
    origin: text("origin").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** When the origin stops being allowed; null for no expiry. */
    expiresAt: instant("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.webAppId, table.origin] }),
    foreignKey({
      columns: [table.workspaceId, table.webAppId],
      foreignColumns: [webApps.workspaceId, webApps.webAppId],
    }),
  ],
);

/** Refused submissions of the last day, counted by origin and hour; bounded per Web App. */
export const refusedOrigins = pgTable(
  "refused_origins",
  {
    workspaceId: workspaceId(),
    webAppId: id("webApp", "web_app_id").notNull(),
    hour: instant("hour").notNull(),
    /** Empty if the request had no origin; `*` for everything beyond the bound. */
    origin: text("origin").notNull(),
    count: integer("count").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.webAppId, table.hour, table.origin] })],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    keyId: id("apiKey", "key_id").notNull(),
    name: text("name").notNull(),
    kind: text("kind", { enum: ["live", "trial"] }).notNull(),
    /** Prefix and first characters of the secret, as the Console shows them. */
    preview: text("preview").notNull(),
    lastFour: text("last_four").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
    /** Updated at most once a minute. */
    lastUsedAt: instant("last_used_at"),
    /** The key that replaces this one; `expiresAt` is then the end of the overlap. */
    replacedBy: id("apiKey", "replaced_by"),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.keyId] })],
);

/** Maps a presented key to its workspace: HMAC-SHA-256 under the pepper `pepperId`. */
export const apiKeyLookup = pgTable("api_key_lookup", {
  keyHash: bytes("key_hash").primaryKey(),
  pepperId: text("pepper_id").notNull(),
  workspaceId: workspaceId(),
  keyId: id("apiKey", "key_id").notNull(),
});

/** Keys for managing a workspace from scripts. They cannot read Reports. */
export const managementKeys = pgTable(
  "management_keys",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    keyId: id("managementKey", "key_id").notNull(),
    name: text("name").notNull(),
    scopes: text("scopes").array().notNull(),
    /** HMAC-SHA-256 of the key under the pepper `pepperId`. */
    keyHash: bytes("key_hash").notNull(),
    pepperId: text("pepper_id").notNull(),
    /** Prefix and first characters of the secret, as the Console shows them. */
    preview: text("preview").notNull(),
    lastFour: text("last_four").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Updated at most once a minute. */
    lastUsedAt: instant("last_used_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.keyId] }),
    uniqueIndex("management_keys_hash").on(table.keyHash),
  ],
);

export const auditLog = pgTable(
  "audit_log",
  {
    workspaceId: workspaceId(),
    auditId: id("audit", "audit_id").notNull(),
    at: instant("at").notNull().defaultNow(),
    actorKind: text("actor_kind").notNull(),
    /** User, key or client id; empty for the operator and the system. */
    actorId: text("actor_id").notNull(),
    /** Session id of a person's action; otherwise empty. */
    credential: text("credential").notNull(),
    /** Client IP; null for the command line and background work. */
    address: inet("address"),
    /** `resource.verb` */
    action: text("action").notNull(),
    target: text("target").notNull(),
    requestId: text("request_id"),
    /** What changed, without secrets. */
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.auditId] }),
    index("audit_log_at").on(table.workspaceId, table.at),
  ],
);
