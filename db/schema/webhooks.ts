import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { workspaces } from "./workspaces";

const workspaceId = () => id("workspace", "workspace_id").notNull();

/** Addresses that messages are sent to, and what each of them wants to hear of. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    endpointId: id("webhook", "endpoint_id").notNull(),
    name: text("name").notNull(),
    url: text("url").notNull(),
    eventTypes: text("event_types").array().notNull(),
    /** Empty for all. */
    webAppIds: uuid("web_app_ids").array().notNull(),
    /** Risk statuses of visits; empty for all. */
    statuses: text("statuses").array().notNull(),
    /** `paused` by a person, `disabled` by the service. */
    state: text("state", { enum: ["active", "paused", "disabled"] })
      .notNull()
      .default("active"),
    /** Why the service disabled it; empty otherwise. */
    disabledBecause: text("disabled_because").notNull().default(""),
    sealedSecret: text("sealed_secret").notNull(),
    /** The secret before, with which messages are signed as well until the overlap ends. */
    sealedPreviousSecret: text("sealed_previous_secret"),
    overlapUntil: instant("overlap_until"),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Failed attempts since the last one that succeeded, of all messages together. */
    failures: integer("failures").notNull().default(0),
    failingSince: instant("failing_since"),
    /** Nothing is sent before. */
    retryAt: instant("retry_at"),
    /** When the mail to its admins that it was disabled is due; null when there is none. */
    noticeDueAt: instant("notice_due_at"),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.endpointId] })],
);

/** Messages to endpoints: what is to be sent, and what became of it. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    workspaceId: workspaceId(),
    deliveryId: id("delivery", "delivery_id").notNull(),
    endpointId: id("webhook", "endpoint_id").notNull(),
    /** The same for every endpoint, and when it is sent once more. */
    eventId: id("event", "event_id").notNull(),
    type: text("type").notNull(),
    /** What the event is of: messages of one stream are sent in their order. */
    stream: uuid("stream").notNull(),
    /** The body, byte by byte. */
    payload: text("payload").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    state: text("state", { enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    firstAttemptAt: instant("first_attempt_at"),
    /** When it is sent next; while it is being sent, until when the sender has time. */
    dueAt: instant("due_at").notNull(),
    /** The attempt that is under way. */
    lease: uuid("lease"),
    endedAt: instant("ended_at"),
    /** Of the last attempt: status of the answer, its first characters, or why there was none. */
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

/** Events that are found by looking for them, so that each is sent once. */
export const webhookAnnouncements = pgTable(
  "webhook_announcements",
  {
    workspaceId: workspaceId(),
    /** Of what was found, by its own name. */
    eventId: id("event", "event_id").notNull(),
    announcedAt: instant("announced_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.eventId] })],
);
