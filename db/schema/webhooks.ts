import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { workspaces } from "./workspaces";

const workspaceId = () => id("workspace", "workspace_id").notNull();

/** URLs that messages are sent to, with the events each one subscribes to. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    endpointId: id("webhook", "endpoint_id").notNull(),
    name: text("name").notNull(),
    url: text("url").notNull(),
    eventTypes: text("event_types").array().notNull(),
    /** Empty for all Web Apps. */
    webAppIds: uuid("web_app_ids").array().notNull(),
    /** Risk statuses of visits; empty for all. */
    statuses: text("statuses").array().notNull(),
    /** `paused` by a person, `disabled` by the service. */
    state: text("state", { enum: ["active", "paused", "disabled"] })
      .notNull()
      .default("active"),
    /** Why the service disabled it; otherwise empty. */
    disabledBecause: text("disabled_because").notNull().default(""),
    sealedSecret: text("sealed_secret").notNull(),
    /** The previous secret, with which messages are also signed until the overlap ends. */
    sealedPreviousSecret: text("sealed_previous_secret"),
    overlapUntil: instant("overlap_until"),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Failed attempts since the last success, across all messages. */
    failures: integer("failures").notNull().default(0),
    failingSince: instant("failing_since"),
    /** Nothing is sent before this time. */
    retryAt: instant("retry_at"),
    /** When the mail telling admins that it was disabled is due; null if none is. */
    noticeDueAt: instant("notice_due_at"),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.endpointId] })],
);

/** Messages to endpoints, pending and past. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    workspaceId: workspaceId(),
    deliveryId: id("delivery", "delivery_id").notNull(),
    endpointId: id("webhook", "endpoint_id").notNull(),
    /** The same for every endpoint, and on redelivery. */
    eventId: id("event", "event_id").notNull(),
    type: text("type").notNull(),
    /** Subject of the event: messages of one stream are sent in order. */
    stream: uuid("stream").notNull(),
    /** The exact body. */
    payload: text("payload").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    state: text("state", { enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    firstAttemptAt: instant("first_attempt_at"),
    /** When it is sent next; during an attempt, the attempt's deadline. */
    dueAt: instant("due_at").notNull(),
    /** Id of the attempt in progress. */
    lease: uuid("lease"),
    endedAt: instant("ended_at"),
    /** Last attempt: response status, the start of the response body, or why there was no response. */
    lastStatus: integer("last_status"),
    lastDurationMs: integer("last_duration_ms"),
    lastAnswer: text("last_answer").notNull().default(""),
    lastProblem: text("last_problem").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.deliveryId] }),
    index("webhook_deliveries_due")
      .on(table.workspaceId, table.endpointId, table.dueAt)
      .where(sql`state = 'pending'`),
    index("webhook_deliveries_stream")
      .on(table.workspaceId, table.endpointId, table.stream, table.occurredAt)
      .where(sql`state = 'pending'`),
    index("webhook_deliveries_listed").on(table.workspaceId, table.endpointId, table.occurredAt),
  ],
);

/** Events found by polling, recorded so that each is announced once. */
export const webhookAnnouncements = pgTable(
  "webhook_announcements",
  {
    workspaceId: workspaceId(),
    /** Event id derived from what was found. */
    eventId: id("event", "event_id").notNull(),
    announcedAt: instant("announced_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.eventId] })],
);
