import { type IntentStatus, UNRESOLVED_STATUSES } from "@/lib/contract/trial";

/** Stored for other modules; no rule reads it. */
type Opaque = unknown;

/** One authorization that was accepted for an intent. It is stored before anything is submitted. */
export type Attempt = {
  attemptId: string;
  network: string;
  asset: string;
  payer: string;
  /** Unique over the whole instance, permanently, together with the three above. */
  nonce: string;
  /** From then on the chain refuses the authorization. */
  validBefore: Date;
  /** Block from which the chain is searched for its use. */
  startBlock: bigint;
};

export type Settlement = { transaction: string; response: Opaque };

/** Why an authorization can no longer be paid, and the block that proves it. */
export type NonPaymentProof = { evidence: string; block: string };

export type Trial = {
  trialId: string;
  workspaceId: string;
  expiresAt: Date;
  /** Set by the first status read that finds the trial active. */
  deliverUntil: Date | undefined;
  isKeySealed: boolean;
};

/** The input of the transition rules. */
export type Intent = {
  intentId: string;
  status: IntentStatus;
  /** End of the time in which a payment is accepted. */
  payUntil: Date;
  isQuoteLocked: boolean;
  /** The latest attempt: unresolved or settled unless the status says that it failed. */
  attempt: Attempt | undefined;
  /** Until then one process works on the unresolved payment, and no other does. */
  leaseUntil: Date | undefined;
  /** Start of the latest reconciliation. */
  lastReconciledAt: Date | undefined;
  /** When the reconciler runs next. */
  nextReconcileAt: Date | undefined;
  /** Consecutive reconciliations without an outcome; the exponent of the backoff. */
  reconcileAttempts: number;
  trial: Trial | undefined;
  endedAt: Date | undefined;
};

export type IntentEvent =
  /** Applies deadlines that have passed. */
  | { kind: "tick" }
  | { kind: "challenged"; terms: Opaque }
  | { kind: "payment_presented"; attempt: Attempt; payload: Opaque; leaseSeconds: number }
  | { kind: "settled"; attemptId: string; settlement: Settlement }
  /** The facilitator refused, or its answer proves nothing. */
  | { kind: "settle_unclear"; attemptId: string }
  | { kind: "dead"; attemptId: string; proof: NonPaymentProof }
  /** A reorganised chain has undone a settled payment; its trial was granted. */
  | { kind: "taken_back"; attemptId: string; proof: NonPaymentProof }
  /** The chain has no final answer yet. */
  | { kind: "unknown"; attemptId: string; mayResettle: boolean }
  /** A request timed out waiting for the outcome. */
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
  | { kind: "record_failure"; attemptId: string; proof: NonPaymentProof }
  | { kind: "record_taken_back"; attemptId: string; proof: NonPaymentProof }
  | { kind: "create_trial"; trial: Trial }
  | { kind: "end_trial"; trial: Trial; as: "expired" | "revoked"; at: Date }
  | { kind: "erase_key" };

/** Run after the commit, never inside a transaction. Its outcome is applied as an event. */
export type Call =
  | { kind: "settle"; attempt: Attempt }
  | { kind: "read_chain"; attempt: Attempt; mayResettle: boolean }
  | { kind: "provision" };

export type Effect = Write | Call;
export type Transition = { state: Intent; effects: Effect[] };

/** A payment may be presented. */
export const isOpen = ({ status }: Pick<Intent, "status">): boolean =>
  status === "payment_required" || status === "payment_failed";

export const isUnresolved = ({ status }: Pick<Intent, "status">): boolean =>
  UNRESOLVED_STATUSES.some((unresolved) => unresolved === status);
