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

/**
 * Traits by which a device is recognised without its token. Written when they change, at least once on each day with a
 * visit.
 */
export const deviceProfiles = pgTable(
  "device_profiles",
  {
    workspaceId: workspaceId(),
    deviceId: deviceId(),
    /** Read and written as a whole, so stored as text that needs no parsing. */
    profile: json("profile").$type<unknown>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.deviceId] })],
);

/**
 * Tokens seen per network and day, which show how many machines of one model a network has. `network` and `model` are
 * prefixes of HMACs under the workspace's key. Counted by token rather than by device, so that a token assigned to the
 * wrong device still reveals the second machine.
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
    /** Number of distinct days. */
    days: integer("days").notNull(),
    /**
     * Stratum of the visit without a known token that introduced this token here; null if the token was already known
     * elsewhere.
     */
    stratum: text("stratum"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.network, table.tokenId] }),
    index("network_tokens_newest").on(table.workspaceId, table.network, table.lastDay.desc()),
    index("network_tokens_device_token").on(table.workspaceId, table.deviceId, table.tokenId, table.lastDay),
    index("network_tokens_new")
      .on(table.workspaceId, table.firstDay)
      .where(sql`stratum is not null`),
  ],
);

/** Number of devices in a workspace and the frequencies of their trait values, counted in the background. */
export const devicePopulations = pgTable("device_populations", {
  workspaceId: id("workspace", "workspace_id").primaryKey(),
  devices: integer("devices").notNull(),
  counts: jsonb("counts").$type<unknown>().notNull(),
  countedAt: instant("counted_at").notNull(),
});

/**
 * Daily results of matching without the token on visits whose token is valid. Sixteen rows per day, so that concurrent
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
