import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { workspaces } from "./workspaces";

const workspaceId = () => id("workspace", "workspace_id").notNull();
const caseId = () => id("case", "case_id").notNull();

/** Investigations shared by the people of a workspace. */
export const cases = pgTable(
  "cases",
  {
    workspaceId: workspaceId().references(() => workspaces.workspaceId),
    caseId: caseId(),
    name: text("name").notNull(),
    status: text("status", { enum: ["open", "in_progress", "closed"] })
      .notNull()
      .default("open"),
    /** User id; empty while unassigned. */
    assigneeId: text("assignee_id").notNull().default(""),
    /** User id; empty if created by the operator. */
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Time of the newest entry. */
    changedAt: instant("changed_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.caseId] }),
    index("cases_changed").on(table.workspaceId, table.changedAt, table.caseId),
    index("cases_status").on(table.workspaceId, table.status, table.changedAt, table.caseId),
    index("cases_assignee").on(table.workspaceId, table.assigneeId, table.changedAt, table.caseId),
  ],
);

const ITEM_KINDS = ["visit", "device", "address", "account"] as const;

/** Items of a case, each at most once. */
export const caseItems = pgTable(
  "case_items",
  {
    workspaceId: workspaceId(),
    caseId: caseId(),
    kind: text("kind", { enum: ITEM_KINDS }).notNull(),
    /** Imprint, device id, IP address or range, or account id. */
    value: text("value").notNull(),
    /** Device of a `device` or `visit` item: when the device is erased, so is the item. */
    deviceId: id("device", "device_id"),
    note: text("note").notNull().default(""),
    addedBy: text("added_by").notNull(),
    addedAt: instant("added_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.caseId, table.kind, table.value] }),
    index("case_items_value").on(table.workspaceId, table.kind, table.value),
    index("case_items_device")
      .on(table.workspaceId, table.deviceId)
      .where(sql`device_id is not null`),
  ],
);

/** History and comments of a case. */
export const caseEntries = pgTable(
  "case_entries",
  {
    workspaceId: workspaceId(),
    caseId: caseId(),
    entryId: id("caseEntry", "entry_id").notNull(),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    kind: text("kind", {
      enum: ["created", "renamed", "status", "assigned", "added", "removed", "comment", "exported"],
    }).notNull(),
    /** The comment, or the new name, status or assignee. */
    text: text("text").notNull().default(""),
    /** The previous value. */
    former: text("former").notNull().default(""),
    itemKind: text("item_kind", { enum: ITEM_KINDS }),
    /** Null once the item it named is erased. */
    itemValue: text("item_value"),
    deviceId: id("device", "device_id"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.caseId, table.at, table.entryId] }),
    index("case_entries_item")
      .on(table.workspaceId, table.itemKind, table.itemValue)
      .where(sql`item_value is not null`),
    index("case_entries_device")
      .on(table.workspaceId, table.deviceId)
      .where(sql`device_id is not null`),
  ],
);
