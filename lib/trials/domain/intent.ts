import { type IntentStatus, UNRESOLVED_STATUSES } from "@/lib/contract/trial";

/** Stored for other modules; not used by the rules. */
type Opaque = unknown;

/** An accepted authorization. It is stored before anything is submitted. */
export type Attempt = {
  attemptId: string;
  network: string;
  asset: string;
  payer: string;
  /** Unique in the whole instance, forever, in combination with network, asset and payer. */
  nonce: string;
  /** The chain rejects the authorization from this time on. */
  validBefore: Date;
  /** First block to search for its use. */
  startBlock: bigint;
};

export type Settlement = { transaction: string; response: Opaque };

/** Why an authorization can no longer be used, and the block that proves it. */
export type NonPaymentProof = { evidence: string; block: string };

export type Trial = {
  trialId: string;
  workspaceId: string;
  expiresAt: Date;
  /** Set by the first status read that finds the trial active. */
  deliverUntil: Date | undefined;
  isKeySealed: boolean;
};

/** State of a purchase: the input of the transition rules. */
export type Intent = {
  intentId: string;
  status: IntentStatus;
  /** Deadline for presenting a payment. */
  payUntil: Date;
  isQuoteLocked: boolean;
  /** The latest attempt: unresolved or settled, unless the status is `payment_failed`. */
  attempt: Attempt | undefined;
  /** Until then only the lease holder works on the unresolved payment. */
  leaseUntil: Date | undefined;
  /** Start of the latest reconciliation. */
  lastReconciledAt: Date | undefined;
  /** Time of the next reconciliation. */
  nextReconcileAt: Date | undefined;
  /** Consecutive inconclusive reconciliations: the exponent of the backoff. */
  reconcileAttempts: number;
  trial: Trial | undefined;
  endedAt: Date | undefined;
};

/** What each kind of event says. */
type EventDetails = {
  /** Applies expired deadlines. */
  tick: object;
  challenged: { terms: Opaque };
  payment_presented: { attempt: Attempt; payload: Opaque; leaseSeconds: number };
  settled: { attemptId: string; settlement: Settlement };
  /** The facilitator refused, or its response proves nothing. */
  settle_unclear: { attemptId: string };
  dead: { attemptId: string; proof: NonPaymentProof };
  /** A chain reorganisation undid a settled payment whose trial was granted. */
  taken_back: { attemptId: string; proof: NonPaymentProof };
  /** The chain has no final answer yet. */
  unknown: { attemptId: string; mayResettle: boolean };
  /** A request timed out while waiting for the outcome. */
  undecided: object;
  reconcile_due: { by: "timer" | "poll" | "operator"; leaseSeconds: number };
  provisioned: { trialId: string; workspaceId: string };
  provision_failed: object;
  status_read: object;
  revoked: { reason?: string | undefined };
};
export type EventKind = keyof EventDetails;
export type IntentEvent<K extends EventKind = EventKind> = { [P in K]: { kind: P } & EventDetails[P] }[K];

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

/** Whether a payment may be presented. */
export const isOpen = ({ status }: Pick<Intent, "status">): boolean =>
  status === "payment_required" || status === "payment_failed";

export const isUnresolved = ({ status }: Pick<Intent, "status">): boolean =>
  UNRESOLVED_STATUSES.some((unresolved) => unresolved === status);
