import { bigint, date, index, integer, json, jsonb, pgTable, primaryKey, smallint } from "drizzle-orm/pg-core";

import { bytes, id, instant } from "./columns";

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
 * Under which keys a device is found again. A key is the beginning of an HMAC under the workspace's key; `seen` is a
 * day, so that a busy device does not write its index entries with every visit.
 */
export const deviceKeys = pgTable(
  "device_keys",
  {
    workspaceId: workspaceId(),
    deviceId: deviceId(),
    key: bigint("key", { mode: "bigint" }).notNull(),
    seen: date("seen", { mode: "string" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.deviceId, table.key] }),
    index("device_keys_newest").on(table.workspaceId, table.key, table.seen.desc(), table.deviceId),
  ],
);

/**
 * New devices that a second visit just like the first would be linked to. Parallel first visits of one visitor without
 * storage meet here, where neither can see the other's rows yet; a claim counts for two minutes.
 */
export const deviceClaims = pgTable(
  "device_claims",
  {
    workspaceId: workspaceId(),
    claimKey: bytes("claim_key").notNull(),
    deviceId: deviceId(),
    claimedAt: instant("claimed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.claimKey] }),
    index("device_claims_device").on(table.workspaceId, table.deviceId),
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
