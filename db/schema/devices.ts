import { sql } from "drizzle-orm";
import {
  bigint,
  date,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";

import { id, instant } from "./columns";

const workspaceId = () => id("workspace", "workspace_id").notNull();
const deviceId = () => id("device", "device_id").notNull();

/** What a device is recognised by without its token. Written when it changes, at least once on each day of a visit. */
export const deviceProfiles = pgTable(
  "device_profiles",
  {
    workspaceId: workspaceId(),
    deviceId: deviceId(),
    /** Read and written whole: text, which neither has to be taken apart nor put together. */
    profile: json("profile").$type<unknown>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.deviceId] })],
);

/**
 * Which tokens were seen in which network, by day: what tells how many machines of one model are there. `network` and
 * `model` are the beginnings of HMACs under the workspace's key. Counted by token, not by device: a token that was given
 * to a device by mistake still shows the second machine.
 */
export const networkTokens = pgTable(
  "network_tokens",
  {
    workspaceId: workspaceId(),
    network: bigint("network", { mode: "bigint" }).notNull(),
    tokenId: uuid("token_id").notNull(),
    deviceId: deviceId(),
    model: bigint("model", { mode: "bigint" }).notNull(),
    firstDay: date("first_day", { mode: "string" }).notNull(),
    lastDay: date("last_day", { mode: "string" }).notNull(),
    /** On how many different days. */
    days: integer("days").notNull(),
    /** Where a visit without a known token brought this one; empty for a token that was known elsewhere before. */
    stratum: text("stratum"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.network, table.tokenId] }),
    index("network_tokens_newest").on(table.workspaceId, table.network, table.lastDay.desc()),
    index("network_tokens_device").on(table.workspaceId, table.deviceId),
    index("network_tokens_new")
      .on(table.workspaceId, table.firstDay)
      .where(sql`stratum is not null`),
  ],
);

/** How many devices a workspace has and how frequent their values are: counted in the background. */
export const devicePopulations = pgTable("device_populations", {
  workspaceId: id("workspace", "workspace_id").primaryKey(),
  devices: integer("devices").notNull(),
  counts: jsonb("counts").$type<unknown>().notNull(),
  countedAt: instant("counted_at").notNull(),
});

/**
 * What the tokenless path would have said on visits whose token is valid, by day. Sixteen rows a day, so that parallel
 * visits rarely wait for each other.
 */
export const deviceShadows = pgTable(
  "device_shadows",
  {
    workspaceId: workspaceId(),
    day: date("day", { mode: "string" }).notNull(),
    shard: smallint("shard").notNull(),
    agreed: integer("agreed").notNull(),
    missed: integer("missed").notNull(),
    wrong: integer("wrong").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.day, table.shard] })],
);
