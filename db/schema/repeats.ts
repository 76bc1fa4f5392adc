import { bigint, index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";

import { id } from "./columns";

const digest = (name: string) => bigint(name, { mode: "bigint" });

/**
 * Digests of what visits sent (prefixes of HMACs under a workspace key), by which resubmissions are detected. Bounded
 * by age and by number per workspace; a row's time is that of its event.
 */
export const payloadObservations = pgTable(
  "payload_sightings",
  {
    workspaceId: id("workspace", "workspace_id").notNull(),
    eventId: id("imprint", "event_id").notNull(),
    /** Kind of machine and browser; visits from identical machines share it. */
    kind: digest("kind").notNull(),
    /** Durations of each signal group; null if they are too coarse to tell visits apart. */
    durations: digest("durations"),
    /**
     * The rounded durations of the run, its challenge and its longest groups, one byte each (`sketchOf`). A digest of
     * all durations if they are too short to be compared, and in rows from before 2026-11-27: near none.
     */
    allDurations: digest("all_durations"),
    /** Null for visits without a valid token. */
    token: digest("token"),
    network: digest("network").notNull(),
    /** The canvas, for browsers that add no noise to it. */
    picture: digest("picture"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId] }),
    uniqueIndex("payload_sightings_durations").on(table.workspaceId, table.durations),
    index("payload_sightings_kind").on(table.workspaceId, table.kind, table.eventId),
    index("payload_sightings_token").on(table.workspaceId, table.token, table.eventId),
  ],
);
