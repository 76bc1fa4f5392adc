import { bigint, inet, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";

import { bytes, instant } from "./columns";

/**
 * Theoretical arrival times of the rate limiter. Unlogged: a crash empties it, which only makes limits more lenient.
 */
export const rateBuckets = pgTable("rate_buckets", {
  bucket: text("bucket").primaryKey(),
  /** Microseconds since the Unix epoch. */
  arrivalMicros: bigint("arrival_micros", { mode: "bigint" }).notNull(),
});

/**
 * IP addresses from which a challenge was probed, one per address family. Unlogged: they are used for two minutes, and
 * a visit without them is a normal visit.
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

/** Recurring background work. A worker leases a due job; a dead worker's lease expires. */
export const jobs = pgTable("jobs", {
  name: text("name").primaryKey(),
  dueAt: instant("due_at").notNull(),
  leaseUntil: instant("lease_until"),
  /** `machine/process/number`, with a number unique within the process. */
  leaseOwner: text("lease_owner"),
  lastSucceededAt: instant("last_finished_at"),
  /** Error name of the last failure; empty after a success. */
  lastError: text("last_error").notNull().default(""),
  /** Checkpoint for jobs that resume where they stopped. */
  progress: text("progress").notNull().default(""),
});

/** Observations about the installation that one process makes and another reports. */
export const instanceNotes = pgTable("instance_notes", {
  name: text("name").primaryKey(),
  notedAt: instant("noted_at").notNull(),
});

/** A value that only the right secret reproduces: a replica with a different secret must not start. */
export const secretChecks = pgTable("secret_checks", {
  secretId: text("secret_id").primaryKey(),
  checkValue: bytes("check_value").notNull(),
  createdAt: instant("created_at").notNull().defaultNow(),
});

/** Accepted agent signatures, each bound to one body. A row is kept as long as its signature could be valid. */
export const agentSignatures = pgTable("agent_signatures", {
  /** SHA-256 of the key id and the signed content, since one signature can be encoded in several ways. */
  digest: bytes("digest").primaryKey(),
  /** SHA-256 of the submission body: the identical body may be sent again. */
  bodyHash: bytes("body_hash").notNull(),
  expiresAt: instant("expires_at").notNull(),
});
