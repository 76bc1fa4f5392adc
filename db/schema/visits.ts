import { bigint, date, index, inet, integer, json, pgTable, primaryKey, real, text, uuid } from "drizzle-orm/pg-core";

import { bytes, id, instant } from "./columns";

const workspaceId = () => id("workspace", "workspace_id").notNull();
const deviceId = () => id("device", "device_id").notNull();
const eventId = () => id("imprint", "event_id").notNull();

/** Used challenges. A row is kept as long as its challenge could be presented again. */
export const challengeUses = pgTable(
  "challenge_uses",
  {
    workspaceId: workspaceId(),
    nonce: uuid("nonce").notNull(),
    /** SHA-256 of the submission body: the identical body gets the same imprint again. */
    bodyHash: bytes("body_hash").notNull(),
    eventId: eventId(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.nonce] })],
);

export const devices = pgTable(
  "devices",
  {
    workspaceId: workspaceId(),
    deviceId: deviceId(),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** Strictly increasing with each event of the device. */
    lastRecordedAt: instant("last_recorded_at").notNull(),
    previousRecordedAt: instant("previous_recorded_at"),
    accessCount: integer("access_count").notNull(),
    /** Hard facts of the first visit: a token presented by another kind of browser was copied. */
    browserFamily: text("browser_family").notNull(),
    osFamily: text("os_family").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.deviceId] }),
    index("devices_last_recorded").on(table.workspaceId, table.lastRecordedAt),
  ],
);

/** The device of each signed browser token. */
export const deviceTokens = pgTable(
  "device_tokens",
  {
    workspaceId: workspaceId(),
    tokenId: uuid("token_id").notNull(),
    deviceId: deviceId(),
    boundAt: instant("bound_at").notNull().defaultNow(),
    /** Newest generation presented; 0 as issued. */
    generation: integer("generation").notNull().default(0),
    /** When that generation was first presented; null before the first rotation. */
    presentedAt: instant("presented_at"),
    /** UTC day of the last visit whose response offered the next generation. */
    offeredOn: date("offered_on", { mode: "string" }),
    /** When an older generation was last presented after a newer one. */
    reusedAt: instant("reused_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.tokenId] }),
    index("device_tokens_device").on(table.workspaceId, table.deviceId),
  ],
);

/** IP addresses of a device, from which the activity windows are counted without reading its events. */
export const deviceAddresses = pgTable(
  "device_addresses",
  {
    workspaceId: workspaceId(),
    deviceId: deviceId(),
    address: inet("address").notNull(),
    /** ISO 3166-1 alpha-2; empty if unknown. */
    countryCode: text("country_code").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.deviceId, table.address, table.countryCode] }),
    index("device_addresses_seen").on(table.workspaceId, table.deviceId, table.lastSeenAt),
    index("device_addresses_address").on(table.workspaceId, table.address),
  ],
);

/** One visit. Range-partitioned by month on `event_id`, a UUIDv7. */
export const visits = pgTable(
  "visits",
  {
    workspaceId: workspaceId(),
    eventId: eventId(),
    deviceId: deviceId(),
    webAppId: id("webApp", "web_app_id").notNull(),
    recordedAt: instant("recorded_at").notNull(),
    /** Position of this event among the device's events, starting at 1. */
    accessCount: integer("access_count").notNull(),
    surface: text("surface").notNull(),
    origin: text("origin").notNull(),
    address: inet("address"),
    countryCode: text("country_code"),
    asn: bigint("asn", { mode: "number" }),
    connectionType: text("connection_type"),
    status: text("status", { enum: ["PASS", "SUSPICIOUS", "DECEPTIVE"] }).notNull(),
    reasons: text("reasons").array().notNull(),
    /** Ids of the rules that fired. Null for visits before 0.2, until their evidence is read for the slices. */
    rules: text("rules").array(),
    browserName: text("browser_name"),
    osName: text("os_name"),
    rulesVersion: text("rules_version").notNull(),
    /** How the device was recognised; null for visits before 0.2, and where concurrent visits decided it together. */
    recognition: text("recognition", { enum: ["token", "evidence", "new"] }),
    /** Confidence of a link by evidence, from 0 to 1. */
    confidence: real("confidence"),
    /** Name of the verified agent that made the visit. */
    agent: text("agent"),
    /**
     * Evidence of 0.1 visits; since then an object without findings, which 0.1 can display. Newer evidence is in
     * `evidencePacked`.
     */
    evidence: json("evidence").$type<unknown>().notNull(),
    /** How the device was recognised and what each finding is based on, packed; for the Console only. */
    evidencePacked: bytes("evidence_packed"),
    /** Signals of 0.1 visits, until they are erased; newer ones are in `visitSignals`. */
    signals: json("signals").$type<unknown>(),
    /** The canonical Report as the JSON text that is served. */
    report: text("report").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId] }),
    index("visits_device").on(table.workspaceId, table.deviceId, table.recordedAt, table.eventId),
    // Includes all columns that lists and counts filter by, so that they need an index-only scan and read no Report.
    index("visits_recorded").on(
      table.workspaceId,
      table.recordedAt,
      table.eventId,
      table.status,
      table.webAppId,
      table.countryCode,
      table.connectionType,
      table.browserName,
      table.osName,
      table.asn,
      table.reasons,
    ),
  ],
);

/**
 * Raw signals and the request facts they are compared with. Range-partitioned by day on `event_id`: a day is erased by
 * dropping its partition, which frees its space.
 */
export const visitSignals = pgTable(
  "visit_signals",
  {
    workspaceId: workspaceId(),
    eventId: eventId(),
    packed: bytes("packed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.eventId] })],
);

/** One account per event; the first link wins. Partitioned like `visits`. */
export const accountLinks = pgTable(
  "account_links",
  {
    workspaceId: workspaceId(),
    eventId: eventId(),
    deviceId: deviceId(),
    /** First 16 bytes of the HMAC of the account reference under the workspace's key. */
    accountHash: bytes("account_hash").notNull(),
    recordedAt: instant("recorded_at").notNull(),
    linkedAt: instant("linked_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId] }),
    index("account_links_account").on(table.workspaceId, table.accountHash, table.recordedAt, table.eventId),
  ],
);

/** The key under which a workspace's account references are hashed. Unaffected by rotation of the pepper. */
export const accountKeys = pgTable("account_keys", {
  workspaceId: workspaceId().primaryKey(),
  /** 32 random bytes in base64, sealed. */
  sealed: text("sealed").notNull(),
});

/** First use of each device by each account: the only table that Account Map reads. */
export const deviceAccounts = pgTable(
  "device_accounts",
  {
    workspaceId: workspaceId(),
    deviceId: deviceId(),
    accountHash: bytes("account_hash").notNull(),
    firstRecordedAt: instant("first_recorded_at").notNull(),
    firstEventId: id("imprint", "first_event_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.deviceId, table.accountHash] }),
    index("device_accounts_device").on(table.workspaceId, table.deviceId, table.firstRecordedAt, table.firstEventId),
    index("device_accounts_account").on(
      table.workspaceId,
      table.accountHash,
      table.firstRecordedAt,
      table.firstEventId,
    ),
  ],
);
