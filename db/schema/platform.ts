import { bigint, inet, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";

import { bytes, instant } from "./columns";

/** Theoretical arrival times of the rate limiter. Unlogged: a crash empties it, which only forgives. */
export const rateBuckets = pgTable("rate_buckets", {
  bucket: text("bucket").primaryKey(),
  /** Microseconds since the Unix epoch. */
  arrivalMicros: bigint("arrival_micros", { mode: "bigint" }).notNull(),
});

/**
 * The address that a challenge's probe came from, one of each family. Unlogged: it counts for two minutes, and a visit
 * without it is an ordinary visit.
 */
export const probeObservations = pgTable(
  "probe_sightings",
  {
    nonce: uuid("nonce").notNull(),
    family: smallint("family").notNull(),
    address: inet("address").notNull(),
    seenAt: instant("seen_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.nonce, table.family] })],
);

/** Recurring background work. A worker takes a due job by lease; a dead worker's lease runs out. */
export const jobs = pgTable("jobs", {
  name: text("name").primaryKey(),
  dueAt: instant("due_at").notNull(),
  leaseUntil: instant("lease_until"),
  /** Machine, process and a number of its own, as `machine/process/number`. */
  leaseOwner: text("lease_owner"),
  lastFinishedAt: instant("last_finished_at"),
  /** Name of the last failure; empty after a success. */
  lastError: text("last_error").notNull().default(""),
  /** Where the work stands, for jobs that go on where they stopped. */
  progress: text("progress").notNull().default(""),
});

/** Observations about the installation that one process makes and another reports. */
export const instanceNotes = pgTable("instance_notes", {
  name: text("name").primaryKey(),
  notedAt: instant("noted_at").notNull(),
});

/** A value that only the right secret reproduces: a replica with another secret must not start. */
export const secretChecks = pgTable("secret_checks", {
  secretId: text("secret_id").primaryKey(),
  checkValue: bytes("check_value").notNull(),
  createdAt: instant("created_at").notNull().defaultNow(),
});

/** Signatures of agents that were accepted: each goes with one body. A row lives as long as its signature could. */
export const agentSignatures = pgTable("agent_signatures", {
  /** SHA-256 of the key's id and what was signed: a signature may be written in several ways. */
  digest: bytes("digest").primaryKey(),
  /** SHA-256 of the submission body: the identical body may come again. */
  bodyHash: bytes("body_hash").notNull(),
  expiresAt: instant("expires_at").notNull(),
});
