import { sql } from "drizzle-orm";
import { bigint, check, date, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";

import { bytes, id, instant } from "./columns";

const workspaceId = () => id("workspace", "workspace_id").notNull();

/** The metering ledger: one row for each imprint ever delivered. Partitioned like `visits`. */
export const reportDeliveries = pgTable(
  "report_deliveries",
  {
    workspaceId: workspaceId(),
    eventId: id("imprint", "event_id").notNull(),
    webAppId: id("webApp", "web_app_id").notNull(),
    /** Null if it was read by a person's client. */
    keyId: id("apiKey", "key_id"),
    /** The period that the unit is counted in: the UTC month `YYYY-MM`, or `total`. */
    period: text("period").notNull(),
    deliveredAt: instant("delivered_at").notNull().defaultNow(),
    /** Acceptance id of the first delivery, as the first 16 bytes of its SHA-256; null without one. */
    acceptanceHash: bytes("acceptance_hash"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId] }),
    index("report_deliveries_delivered").on(table.workspaceId, table.deliveredAt),
  ],
);

/**
 * Report units used by a workspace in a period, in slices: a delivery counts in any slice, so that deliveries do not
 * wait for each other. The limits of a period's slices add up to the plan's units.
 */
export const unitSlices = pgTable(
  "unit_slices",
  {
    workspaceId: workspaceId(),
    period: text("period").notNull(),
    slice: integer("slice").notNull(),
    unitsUsed: integer("units_used").notNull(),
    /** This slice's share of the plan's units; null without a limit. */
    unitsLimit: integer("units_limit"),
    /** Plan units that the shares were computed from; null without a limit. */
    planUnits: integer("plan_units"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.period, table.slice] }),
    check("unit_slices_within_limit", sql`${table.unitsLimit} is null or ${table.unitsUsed} <= ${table.unitsLimit}`),
  ],
);

/** Dimensions that calls are counted by. */
const dimensions = () => ({
  day: date("day", { mode: "string" }).notNull(),
  /** Null for calls without a key: browsers and people's clients. */
  keyId: id("apiKey", "key_id"),
  /** Null if the call was refused before a Web App was known. */
  webAppId: id("webApp", "web_app_id"),
  /** Operation id of the contract. */
  operation: text("operation").notNull(),
  outcome: text("outcome").notNull(),
});

/** Calls counted by each process over short intervals: rows are only inserted, and later folded into days. */
export const usageBatches = pgTable(
  "usage_batches",
  {
    workspaceId: workspaceId(),
    /** One per write of a process, which makes a repeated write idempotent. */
    batchId: uuid("batch_id").notNull(),
    line: integer("line").notNull(),
    ...dimensions(),
    calls: integer("calls").notNull(),
    writtenAt: instant("written_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.batchId, table.line] })],
);

/** Calls and units by day. Never deleted. */
export const usageDays = pgTable(
  "usage_days",
  {
    workspaceId: workspaceId(),
    ...dimensions(),
    calls: bigint("calls", { mode: "number" }).notNull(),
    units: bigint("units", { mode: "number" }).notNull(),
  },
  (table) => [
    unique("usage_days_line")
      .on(table.workspaceId, table.day, table.keyId, table.webAppId, table.operation, table.outcome)
      .nullsNotDistinct(),
  ],
);

/** Point up to which a workspace's ledger has been folded into days. */
export const usageMarks = pgTable("usage_marks", {
  workspaceId: workspaceId().primaryKey(),
  foldedUntil: instant("folded_until").notNull(),
});
