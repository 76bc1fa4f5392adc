import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

import { INTENT_STATUSES } from "@/lib/contract/trial";
import { bytes, id, instant } from "./columns";

const intentId = () => id("intent", "intent_id").notNull();

/** The purchase of one trial. Its workspace is created when it becomes active. */
export const trialIntents = pgTable(
  "trial_intents",
  {
    intentId: intentId().primaryKey(),
    /** SHA-256 of the claim token, which is 256 random bits. */
    claimHash: bytes("claim_hash").notNull(),
    origin: text("origin").notNull(),
    status: text("status", { enum: INTENT_STATUSES }).notNull().default("payment_required"),
    /** Incremented with each change. */
    revision: integer("revision").notNull().default(0),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** End of the period in which a payment is accepted. */
    payUntil: instant("pay_until").notNull(),
    /** Catalog limits at the time the intent was created. */
    limits: jsonb("limits").$type<unknown>().notNull(),
    /** Terms of every payment challenge, fixed by the first one. */
    terms: jsonb("terms").$type<unknown>(),
    /** The unresolved or settled attempt; after a failure, the failed one. */
    attemptId: uuid("attempt_id"),
    /** Until then, one process is working on the unresolved payment. */
    leaseUntil: instant("lease_until"),
    // The columns keep their released names: during an upgrade, 0.1.0 processes may run alongside this release.
    lastReconciledAt: instant("looked_at"),
    nextReconcileAt: instant("next_look_at"),
    /** Consecutive reconciliations without an outcome. */
    reconcileAttempts: integer("looks").notNull().default(0),
    trialId: id("trial", "trial_id"),
    workspaceId: id("workspace", "workspace_id"),
    trialExpiresAt: instant("trial_expires_at"),
    /** End of the delivery window; set by the first status read that finds the trial active. */
    deliverUntil: instant("deliver_until"),
    /** The trial's key, kept only while it may still be delivered. */
    sealedKey: text("sealed_key"),
    endedAt: instant("ended_at"),
  },
  (table) => [
    index("trial_intents_unresolved")
      .on(table.nextReconcileAt)
      .where(sql`status in ('payment_in_progress', 'reconciliation_pending', 'provisioning')`),
    index("trial_intents_open")
      .on(table.payUntil)
      .where(sql`status in ('payment_required', 'payment_failed')`),
    index("trial_intents_active")
      .on(table.trialExpiresAt)
      .where(sql`status = 'active'`),
    index("trial_intents_created").on(table.createdAt, table.intentId),
    // A claim token identifies one purchase, however often and through whichever channel it is presented.
    uniqueIndex("trial_intents_claim").on(table.claimHash),
    check("trial_intents_key_while_active", sql`${table.sealedKey} is null or ${table.status} = 'active'`),
    check(
      "trial_intents_attempt_while_unresolved",
      sql`${table.attemptId} is not null or ${table.status} not in ('payment_in_progress', 'reconciliation_pending', 'provisioning', 'active')`,
    ),
  ],
);

/** An accepted payment authorization, stored before it is submitted. Never deleted. */
export const paymentAttempts = pgTable(
  "payment_attempts",
  {
    intentId: intentId(),
    attemptId: uuid("attempt_id").notNull(),
    network: text("network").notNull(),
    /** Addresses and the nonce, in lower case. */
    asset: text("asset").notNull(),
    payer: text("payer").notNull(),
    nonce: text("nonce").notNull(),
    payTo: text("pay_to").notNull(),
    amountAtomic: text("amount_atomic").notNull(),
    /** Unix seconds. */
    validAfter: bigint("valid_after", { mode: "number" }).notNull(),
    validBefore: bigint("valid_before", { mode: "number" }).notNull(),
    /** Block from which the chain is searched. */
    startBlock: numeric("start_block", { mode: "bigint" }).notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    outcome: text("outcome", { enum: ["settled", "failed"] }),
    resolvedAt: instant("resolved_at"),
    /** Settlement transaction. */
    transaction: text("transaction"),
    settleResponse: jsonb("settle_response").$type<unknown>(),
    /** Why it can no longer be paid, and the block that proves it. */
    evidence: text("evidence"),
    evidenceBlock: text("evidence_block"),
    /** The signed payload, a bearer instrument; erased when the outcome is known. */
    sealedPayload: text("sealed_payload"),
    /**
     * The facilitator that verified the payment and is the only one asked to settle it; null in rows of earlier
     * releases, meaning `first`.
     */
    facilitator: text("facilitator", { enum: ["first", "fallback"] }),
    /** When a finalized block showed the settled payment: no reorganisation can revert it after that. */
    finalAt: instant("final_at"),
    /** When a finalized block proved that the chain had reverted the settled payment. */
    takenBackAt: instant("taken_back_at"),
  },
  (table) => [
    primaryKey({ columns: [table.intentId, table.attemptId] }),
    uniqueIndex("payment_attempts_once").on(table.network, table.asset, table.payer, table.nonce),
    uniqueIndex("payment_attempts_settled_once")
      .on(table.intentId)
      .where(sql`outcome = 'settled'`),
    index("payment_attempts_not_final")
      .on(table.resolvedAt)
      .where(sql`outcome = 'settled' and final_at is null and taken_back_at is null`),
    check(
      "payment_attempts_taken_back_once_settled",
      sql`${table.takenBackAt} is null or (${table.outcome} = 'settled' and ${table.finalAt} is null)`,
    ),
    check("payment_attempts_payload_while_unresolved", sql`${table.sealedPayload} is null or ${table.outcome} is null`),
  ],
);

/** Every change of an intent, for operators. */
export const trialIntentEvents = pgTable(
  "trial_intent_events",
  {
    intentId: intentId(),
    revision: integer("revision").notNull(),
    at: instant("at").notNull(),
    event: text("event").notNull(),
    fromStatus: text("from_status", { enum: INTENT_STATUSES }).notNull(),
    toStatus: text("to_status", { enum: INTENT_STATUSES }).notNull(),
    /** Id of the request that caused it; null for background work. */
    requestId: text("request_id"),
    detail: jsonb("detail").$type<unknown>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.intentId, table.revision] })],
);

/** Refunds that the operator made outside this service. Append-only. */
export const trialRefunds = pgTable(
  "trial_refunds",
  {
    intentId: intentId(),
    /** The operator's own transfer, in lower case. */
    transaction: text("transaction").notNull(),
    notedAt: instant("noted_at").notNull().defaultNow(),
    /** User id, or the kind of actor. */
    notedBy: text("noted_by").notNull(),
    note: text("note"),
  },
  (table) => [primaryKey({ columns: [table.intentId, table.transaction] })],
);

/** Limits of a purchased trial and their usage. */
export const trialGrants = pgTable(
  "trial_grants",
  {
    workspaceId: id("workspace", "workspace_id").notNull(),
    trialId: id("trial", "trial_id").notNull(),
    intentId: intentId(),
    webAppId: id("webApp", "web_app_id").notNull(),
    environmentId: id("environment", "environment_id").notNull(),
    keyId: id("apiKey", "key_id").notNull(),
    status: text("status", { enum: ["active", "expired", "revoked"] })
      .notNull()
      .default("active"),
    expiresAt: instant("expires_at").notNull(),
    endedAt: instant("ended_at"),
    unitsTotal: integer("units_total").notNull(),
    unitsUsed: integer("units_used").notNull().default(0),
    submitRequests: integer("submit_requests").notNull(),
    submitRequestsUsed: integer("submit_requests_used").notNull().default(0),
    reportRequests: integer("report_requests").notNull(),
    reportRequestsUsed: integer("report_requests_used").notNull().default(0),
    requestsPerSecond: integer("requests_per_second").notNull(),
  },
  (table) => [
    // One trial has one workspace.
    primaryKey({ columns: [table.workspaceId] }),
    check("trial_grants_units", sql`${table.unitsUsed} between 0 and ${table.unitsTotal}`),
    check("trial_grants_submit_requests", sql`${table.submitRequestsUsed} between 0 and ${table.submitRequests}`),
    check("trial_grants_report_requests", sql`${table.reportRequestsUsed} between 0 and ${table.reportRequests}`),
  ],
);

/** Origins and payers that the operator does not sell to. */
export const trialBlocks = pgTable(
  "trial_blocks",
  {
    kind: text("kind", { enum: ["origin", "payer"] }).notNull(),
    /** An origin, or a payer's address in lower case. */
    value: text("value").notNull(),
    reason: text("reason"),
    blockedAt: instant("blocked_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.value] })],
);

/** Products that the operator took off sale or put back on sale. */
export const productSwitches = pgTable("product_switches", {
  productCode: text("product_code").primaryKey(),
  isEnabled: boolean("is_enabled").notNull(),
  changedAt: instant("changed_at").notNull().defaultNow(),
});
