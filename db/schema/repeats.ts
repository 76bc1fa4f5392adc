import { bigint, index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";

import { id } from "./columns";

const digest = (name: string) => bigint(name, { mode: "bigint" });

/**
 * What visits sent, as the beginnings of HMACs under a key of the workspace: by these a submission that is sent again is
 * found. Bounded by age and by number in each workspace; the time of a row is that of its event.
 */
export const payloadObservations = pgTable(
  "payload_sightings",
  {
    workspaceId: id("workspace", "workspace_id").notNull(),
    eventId: id("imprint", "event_id").notNull(),
    /** Kind of machine and browser: what visits of equal machines share. */
    kind: digest("kind").notNull(),
    /** How long each group of signals took; nothing where that is too coarse to tell visits apart. */
    durations: digest("durations"),
    /** The same with the durations of the run and of its challenge. */
    allDurations: digest("all_durations"),
    /** Nothing for visits without a valid token. */
    token: digest("token"),
    network: digest("network").notNull(),
    /** The canvas, of browsers that add no noise to it. */
    picture: digest("picture"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId] }),
    uniqueIndex("payload_sightings_durations").on(table.workspaceId, table.durations),
    index("payload_sightings_kind").on(table.workspaceId, table.kind, table.eventId),
    index("payload_sightings_token").on(table.workspaceId, table.token, table.eventId),
  ],
);
