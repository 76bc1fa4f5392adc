import { isUnresolved, type Effect, type Intent, type IntentEvent } from "@/lib/trials/domain/intent";
import type { Applied } from "@/lib/trials/domain/flow";
import { PAY_WINDOW_MS, transition, type TransitionTable } from "@/lib/trials/domain/transitions";
import { type Chain, FAULT } from "./chain";

type StoredAttempt = { intentId: string; nonce: string; outcome: "settled" | "failed" | undefined };
type Grant = { intentId: string; status: "active" | "expired" | "revoked"; attemptId: string };

type StoredPurchase = {
  intent: Intent;
  grants: Grant[];
  hasSealedKey: boolean;
};

/** A violated invariant of the purchase. */
export class Violation extends Error {}

/** Ways in which a store can be implemented incorrectly. */
export type StoreBug = "noNonceUnique" | "splitProvision" | "keyOutlivesTrial" | "grantOutlivesTrial";

type Options = {
  now: () => number;
  random: () => number;
  chain: Chain;
  table: TransitionTable;
  bug?: StoreBug | undefined;
};

/**
 * The purchase tables, in memory. A transaction is one synchronous call, so it is serial and atomic. After each, all
 * invariants are checked.
 */
export class Store {
  private readonly purchases = new Map<string, StoredPurchase>();
  private readonly attempts = new Map<string, StoredAttempt>();
  /** `from to` of every status change. */
  readonly changes = new Set<string>();

  constructor(private readonly options: Options) {}

  create(intentId: string): void {
    const intent: Intent = {
      intentId,
      status: "payment_required",
      payUntil: new Date(this.options.now() + PAY_WINDOW_MS),
      isQuoteLocked: false,
      attempt: undefined,
      leaseUntil: undefined,
      lastReconciledAt: undefined,
      nextReconcileAt: undefined,
      reconcileAttempts: 0,
      trial: undefined,
      endedAt: undefined,
    };
    this.purchases.set(intentId, { intent, grants: [], hasSealedKey: false });
  }

  private purchase(intentId: string): StoredPurchase {
    const purchase = this.purchases.get(intentId);
    if (!purchase) throw new Error(`no intent ${intentId}`);
    return purchase;
  }

  intent = (intentId: string): Intent => this.purchase(intentId).intent;
  hasSealedKey = (intentId: string): boolean => this.purchase(intentId).hasSealedKey;

  /** The intent that a nonce was presented for, if any. */
  presentedBy(nonce: string): string | undefined {
    for (const attempt of this.attempts.values()) if (attempt.nonce === nonce) return attempt.intentId;
    return undefined;
  }

  apply(intentId: string, event: IntentEvent): Applied {
    const purchase = this.purchase(intentId);
    const now = new Date(this.options.now());
    if (event.kind === "payment_presented" && this.options.bug !== "noNonceUnique") {
      const owner = this.presentedBy(event.attempt.nonce);
      const aged = transition(purchase.intent, { kind: "tick" }, now, this.options.table);
      if (owner !== undefined) {
        this.write(purchase, aged.state, aged.effects);
        return { intent: purchase.intent, effects: [], now, conflict: owner === intentId ? "own" : "other" };
      }
    }
    const events: IntentEvent[] = event.kind === "tick" ? [event] : [{ kind: "tick" }, event];
    let effects: Effect[] = [];
    for (const each of events) {
      const next = transition(purchase.intent, each, now, this.options.table);
      ({ effects } = next);
      this.write(purchase, next.state, effects);
    }
    this.check(intentId);
    return { intent: purchase.intent, effects, now };
  }

  private write(purchase: StoredPurchase, state: Intent, effects: Effect[]): void {
    if (state.status !== purchase.intent.status) this.changes.add(`${purchase.intent.status} ${state.status}`);
    purchase.intent = state;
    for (const effect of effects) this.writeEffect(purchase, effect);
  }

  private writeEffect(purchase: StoredPurchase, effect: Effect): void {
    const { intentId } = purchase.intent;
    switch (effect.kind) {
      case "record_attempt":
        this.attempts.set(effect.attempt.attemptId, { intentId, nonce: effect.attempt.nonce, outcome: undefined });
        break;
      case "record_settlement":
      case "record_failure": {
        const attempt = this.attempts.get(effect.attemptId);
        if (attempt) attempt.outcome = effect.kind === "record_settlement" ? "settled" : "failed";
        break;
      }
      case "create_trial":
        this.createTrial(purchase);
        break;
      case "end_trial":
        if (this.options.bug === "grantOutlivesTrial") break;
        for (const grant of purchase.grants) if (grant.status === "active") grant.status = effect.as;
        break;
      case "erase_key":
        if (this.options.bug !== "keyOutlivesTrial") purchase.hasSealedKey = false;
        break;
      case "record_taken_back":
      case "lock_terms":
      case "settle":
      case "read_chain":
      case "provision":
        break;
    }
  }

  private createTrial(purchase: StoredPurchase): void {
    purchase.grants.push({
      intentId: purchase.intent.intentId,
      status: "active",
      attemptId: purchase.intent.attempt?.attemptId ?? "",
    });
    purchase.hasSealedKey = true;
    // Leaves the status to a second transaction, before which the process may end.
    if (this.options.bug === "splitProvision" && this.options.random() < 0.1) {
      purchase.intent = { ...purchase.intent, status: "provisioning" };
      throw FAULT;
    }
  }

  private require(isKept: boolean, promise: string): void {
    if (!isKept) throw new Violation(promise);
  }

  /** Invariants after every transaction and every transfer. */
  check(intentId: string): void {
    const { intent, grants, hasSealedKey } = this.purchase(intentId);
    const { chain } = this.options;
    const own = [...this.attempts.values()].filter((attempt) => attempt.intentId === intentId);
    const paid = own.filter(({ nonce }) => chain.paid.has(nonce));
    const active = grants.filter(({ status }) => status === "active");
    this.require(grants.length <= 1, "one intent has at most one trial");
    this.require(paid.length <= 1, "one intent is paid at most once");
    this.require(own.filter(({ outcome }) => outcome === "settled").length <= 1, "at most one attempt is settled");
    this.require((intent.status === "active") === (active.length === 1), "active means exactly one active trial");
    this.require(!hasSealedKey || intent.status === "active", "a sealed key is kept only while active");
    this.require(!isUnresolved(intent) || intent.attempt !== undefined, "an unresolved intent knows its attempt");
    for (const { outcome, nonce } of own) {
      this.require(outcome !== "failed" || !chain.paid.has(nonce), "a failed attempt was never paid");
      this.require(outcome !== "settled" || chain.paid.has(nonce), "a settled attempt was paid");
    }
    for (const grant of grants) {
      const funding = this.attempts.get(grant.attemptId);
      this.require(funding?.outcome === "settled", "a trial is funded by the settlement of its own attempt");
    }
    const isOver = intent.status === "expired" || intent.status === "revoked" || intent.status === "payment_failed";
    this.require(!isOver || grants.length === paid.length, "no payment is lost when a purchase ends");
  }

  checkAll(): void {
    const funded = new Map<string, number>();
    for (const [intentId, { grants }] of this.purchases) {
      this.check(intentId);
      for (const { attemptId } of grants) {
        const nonce = this.attempts.get(attemptId)?.nonce ?? "";
        funded.set(nonce, (funded.get(nonce) ?? 0) + 1);
      }
    }
    for (const count of funded.values()) this.require(count === 1, "one payment funds one trial");
  }

  /** Invariants once all faults have stopped. */
  checkQuiet(): void {
    this.checkAll();
    let grantCount = 0;
    for (const { intent, grants } of this.purchases.values()) {
      this.require(!isUnresolved(intent), "nothing stays unresolved forever");
      grantCount += grants.length;
    }
    this.require(grantCount === this.options.chain.paid.size, "every payment has its trial");
  }

  /** Invariants after the last trial has ended. */
  checkEnded(): void {
    this.checkQuiet();
    for (const { intent, hasSealedKey } of this.purchases.values()) {
      this.require(intent.status === "expired" || intent.status === "revoked", "everything ends");
      this.require(!hasSealedKey, "no key is kept after the end");
    }
  }
}
