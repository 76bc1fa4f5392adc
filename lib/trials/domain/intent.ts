import type { IntentStatus } from "@/lib/contract/trial";

/** What the machine carries for others and never looks into. */
type Opaque = unknown;

/** One authorization that was accepted for an intent. It is written down before anything is submitted. */
export type Attempt = {
  attemptId: string;
  network: string;
  asset: string;
  payer: string;
  /** Unique over the whole instance, for ever, together with the three above. */
  nonce: string;
  /** From then on the chain refuses the authorization. */
  validBefore: Date;
  /** Block from which the chain is searched for its use. */
  startBlock: bigint;
};

export type Settlement = { transaction: string; response: Opaque };

/** Why an authorization can never be paid any more, and the block that proves it. */
export type Death = { evidence: string; block: string };

export type Trial = {
  trialId: string;
  workspaceId: string;
  expiresAt: Date;
  /** Set by the first status read that finds the trial active. */
  deliverUntil: Date | undefined;
  isKeySealed: boolean;
};

/** All that decides what may happen to a purchase next. */
export type Intent = {
  intentId: string;
  status: IntentStatus;
  /** End of the time in which a payment is accepted. */
  payUntil: Date;
  isQuoteLocked: boolean;
  /** The latest attempt: unresolved or settled unless the status says that it failed. */
  attempt: Attempt | undefined;
  /** Until then somebody works at the unresolved payment, and others leave it alone. */
  leaseUntil: Date | undefined;
  /** When somebody last began to find out what became of the payment. */
  lookedAt: Date | undefined;
  /** When the timer looks next. */
  nextLookAt: Date | undefined;
  /** Looks in a row that decided nothing. */
  looks: number;
  trial: Trial | undefined;
  endedAt: Date | undefined;
};

export type IntentEvent =
  /** Time went by. */
  | { kind: "tick" }
  | { kind: "challenged"; terms: Opaque }
  | { kind: "payment_presented"; attempt: Attempt; payload: Opaque; leaseSeconds: number }
  | { kind: "settled"; attemptId: string; settlement: Settlement }
  /** The facilitator said no, or nothing that can be believed. */
  | { kind: "settle_unclear"; attemptId: string }
  | { kind: "dead"; attemptId: string; death: Death }
  /** The chain does not tell yet. */
  | { kind: "unknown"; attemptId: string; mayResettle: boolean }
  /** A request has waited for the outcome as long as it may. */
  | { kind: "undecided" }
  | { kind: "reconcile_due"; by: "timer" | "poll" | "operator"; leaseSeconds: number }
  | { kind: "provisioned"; trialId: string; workspaceId: string }
  | { kind: "provision_failed" }
  | { kind: "status_read" }
  | { kind: "revoked"; reason?: string | undefined };

/** Written in the transaction of the transition. */
export type Write =
  | { kind: "lock_terms"; terms: Opaque }
  | { kind: "record_attempt"; attempt: Attempt; payload: Opaque }
  | { kind: "record_settlement"; attemptId: string; settlement: Settlement }
  | { kind: "record_death"; attemptId: string; death: Death }
  | { kind: "create_trial"; trial: Trial }
  | { kind: "end_trial"; trial: Trial; as: "expired" | "revoked"; at: Date }
  | { kind: "erase_key" };

/** Done after the commit, never inside a transaction. Its outcome comes back as an event. */
export type Call =
  | { kind: "settle"; attempt: Attempt }
  | { kind: "read_chain"; attempt: Attempt; mayResettle: boolean }
  | { kind: "provision" };

export type Effect = Write | Call;
export type Transition = { state: Intent; effects: Effect[] };

/** A payment may be presented. */
export const isOpen = ({ status }: Pick<Intent, "status">): boolean =>
  status === "payment_required" || status === "payment_failed";

/** Money may have moved and the purchase is not complete: nothing new may be asked of the buyer. */
export const isUnresolved = ({ status }: Pick<Intent, "status">): boolean =>
  status === "payment_in_progress" || status === "reconciliation_pending" || status === "provisioning";
