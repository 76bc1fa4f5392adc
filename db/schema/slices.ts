import { boolean, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";

const workspaceId = () => id("workspace", "workspace_id").notNull();

const slices = <Name extends string>(name: Name) =>
  pgTable(
    name,
    {
      workspaceId: workspaceId(),
      /** The dimensions that `first` and `second` are values of. */
      code: smallint("code").notNull(),
      /** Length in hours: one hour, a UTC day, or a week starting on Monday. */
      hours: smallint("hours").notNull(),
      startsAt: instant("starts_at").notNull(),
      /** Empty if the code has no such dimension or the value is unknown. */
      first: text("first").notNull(),
      second: text("second").notNull(),
      passed: integer("passed").notNull(),
      suspicious: integer("suspicious").notNull(),
      deceptive: integer("deceptive").notNull(),
    },
    (table) => [
      primaryKey({
        columns: [table.workspaceId, table.code, table.hours, table.startsAt, table.first, table.second],
      }),
    ],
  );

/**
 * Visits by verdict per hour, UTC day or week, grouped by zero, one or two dimensions; overviews read them instead of
 * visits. The codes are defined in `lib/visits/slices/domain/dimensions.ts`.
 */
export const visitSlices = slices("visit_slices");

/**
 * Slices of completed days and weeks, moved here from `visitSlices` in key order, so that the thousands of rows that a
 * range adds up are adjacent. While being counted they lie in order of arrival, about one per page.
 */
export const closedSlices = slices("closed_slices");

/**
 * Which visits the slices of a workspace include: those recorded from `countedFrom` (inclusive) to `countedUntil`
 * (exclusive).
 */
export const sliceMarks = pgTable("slice_marks", {
  workspaceId: workspaceId().primaryKey(),
  countedFrom: instant("counted_from").notNull(),
  countedUntil: instant("counted_until").notNull(),
  /** Whether there are no visits before `countedFrom`. */
  isComplete: boolean("is_complete").notNull(),
});
