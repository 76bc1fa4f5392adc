import { sql } from "drizzle-orm";
import { bigint, check, date, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";

import { bytes, id, instant } from "./columns";

const workspaceId = () => id("workspace", "workspace_id").notNull();

/** The ledger of metering: one row for each imprint ever delivered. Partitioned like `visits`. */
export const reportDeliveries = pgTable(
  "report_deliveries",
  {
    workspaceId: workspaceId(),
    eventId: id("imprint", "event_id").notNull(),
    webAppId: id("webApp", "web_app_id").notNull(),
    /** Empty when a person's client read it. */
    keyId: id("apiKey", "key_id"),
    /** What the unit counts in: the UTC month `YYYY-MM`, or `total`. */
    period: text("period").notNull(),
    deliveredAt: instant("delivered_at").notNull().defaultNow(),
    /** What the first delivery was accepted under: the first 16 bytes of the SHA-256 of the caller's id. */
    acceptanceHash: bytes("acceptance_hash"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId] }),
    index("report_deliveries_delivered").on(table.workspaceId, table.deliveredAt),
  ],
);

/**
 * Report units used by a workspace in a period, in slices: a delivery counts in any one of them, so that deliveries
 * do not wait for each other. The limits of a period's slices add up to the plan's units.
 */
export const unitSlices = pgTable(
  "unit_slices",
  {
    workspaceId: workspaceId(),
    period: text("period").notNull(),
    slice: integer("slice").notNull(),
    unitsUsed: integer("units_used").notNull(),
    /** This slice's part of the plan's units; null without a limit. */
    unitsLimit: integer("units_limit"),
    /** Units of the plan that the parts were made of; null without a limit. */
    planUnits: integer("plan_units"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.period, table.slice] }),
    check("unit_slices_within_limit", sql`${table.unitsLimit} is null or ${table.unitsUsed} <= ${table.unitsLimit}`),
  ],
);

/** What a call is counted by. */
const dimensions = () => ({
  day: date("day", { mode: "string" }).notNull(),
  /** Empty for calls without a key: browsers and people's clients. */
  keyId: id("apiKey", "key_id"),
  /** Empty when the call did not get as far as a Web App. */
  webAppId: id("webApp", "web_app_id"),
  /** Operation of the contract, by its id. */
  operation: text("operation").notNull(),
  outcome: text("outcome").notNull(),
});

/** Calls as each process counted them in a moment: rows are only inserted, and folded into days later. */
export const usageBatches = pgTable(
  "usage_batches",
  {
    workspaceId: workspaceId(),
    /** One for each write of a process: repeating it changes nothing. */
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

/** Up to when the ledger of a workspace is folded into its days. */
export const usageMarks = pgTable("usage_marks", {
  workspaceId: workspaceId().primaryKey(),
  foldedUntil: instant("folded_until").notNull(),
});
