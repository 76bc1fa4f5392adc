import { boolean, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";

const workspaceId = () => id("workspace", "workspace_id").notNull();

const slices = <Name extends string>(name: Name) =>
  pgTable(
    name,
    {
      workspaceId: workspaceId(),
      /** Which dimensions `first` and `second` are values of. */
      code: smallint("code").notNull(),
      /** Length: an hour, a UTC day, or a week from Monday on. */
      hours: smallint("hours").notNull(),
      startsAt: instant("starts_at").notNull(),
      /** Empty where the code has no such dimension, or the value is unknown. */
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
 * Visits by verdict for an hour, a UTC day or a week, by the values of no, one or two dimensions: what overviews read instead of
 * visits. The codes are those of `lib/visits/slices/domain/dimensions.ts`.
 */
export const visitSlices = slices("visit_slices");

/**
 * Slices of days and weeks that are over, moved here from `visitSlices` in the order of the key: the thousands that a range
 * adds up lie side by side. Where they are counted they lie as their values came, one to a page.
 */
export const closedSlices = slices("closed_slices");

/** Which visits are in the slices of a workspace: those recorded from `countedFrom` to before `countedUntil`. */
export const sliceMarks = pgTable("slice_marks", {
  workspaceId: workspaceId().primaryKey(),
  countedFrom: instant("counted_from").notNull(),
  countedUntil: instant("counted_until").notNull(),
  /** Whether no visit lies before `countedFrom`. */
  isComplete: boolean("is_complete").notNull(),
});
