import type { Attempt } from "@/lib/trials/domain/intent";
import type { Outcome, Verdict } from "@/lib/trials/domain/flow";

/** A signed authorization held by a buyer. */
export type Payment = {
  nonce: string;
  validBefore: Date;
  /** It can never be paid, e.g. for lack of funds. */
  isBad: boolean;
};

/**
 * The injected failure: the only exception that may occur in a schedule. Created once, since capturing stack traces
 * would dominate the run time.
 */
export const FAULT = new Error("an injected fault");

/** Ways of misreading the chain. */
export type ChainBug = "impatient" | "usedMeansPaid";

/**
 * The token on one chain, with a facilitator in front of it. A nonce can move money once, before it expires; what the
 * facilitator answers may differ from what happens.
 */
export class Chain {
  readonly paid = new Set<string>();
  private readonly cancelled = new Set<string>();
  /** Submitted but not mined yet. */
  private readonly pool: Payment[] = [];
  /** Time of the latest block, in Unix milliseconds. */
  private blockTime: number;

  constructor(
    private readonly now: () => number,
    private readonly random: () => number,
    private readonly bug?: ChainBug,
  ) {
    this.blockTime = now();
  }

  private mine(): void {
    this.blockTime = Math.max(this.blockTime, this.now());
  }

  private land(payment: Payment): boolean {
    this.mine();
    const { nonce, validBefore, isBad } = payment;
    const canPay = this.blockTime < validBefore.getTime() && !isBad && !this.cancelled.has(nonce);
    if (canPay) this.paid.add(nonce);
    return this.paid.has(nonce);
  }

  /** Mines one transfer from the pool; false if there is none. */
  landOne(): boolean {
    if (this.pool.length === 0) return false;
    const [payment] = this.pool.splice(Math.floor(this.random() * this.pool.length), 1);
    if (payment) this.land(payment);
    return true;
  }

  /** Cancels an authorization as its payer; has no effect if it was already paid. */
  cancel(nonce: string): void {
    this.mine();
    if (!this.paid.has(nonce)) this.cancelled.add(nonce);
  }

  settle(payment: Payment): Outcome {
    const settled = { kind: "settled", settlement: { transaction: payment.nonce, response: {} } } as const;
    const draw = this.random();
    if (draw < 0.45) return this.land(payment) ? settled : { kind: "unclear" };
    if (draw < 0.6) this.land(payment);
    else if (draw < 0.75) this.pool.push(payment);
    else if (draw < 0.78) throw FAULT;
    return { kind: "unclear" };
  }

  /** Result of a verification: false for used nonces and payments about to expire; a bad payment may still pass. */
  verify({ nonce, validBefore, isBad }: Payment): boolean {
    const isUsed = this.paid.has(nonce) || this.cancelled.has(nonce);
    return !isUsed && this.now() + 6_000 < validBefore.getTime() && (!isBad || this.random() < 0.8);
  }

  readVerdict({ nonce, validBefore }: Attempt, canFail: boolean): Verdict {
    if (canFail && this.random() < 0.2) return { kind: "unknown" };
    if (!canFail || this.random() < 0.7) this.mine();
    const settled = { kind: "settled", settlement: { transaction: nonce, response: {} } } as const;
    if (this.paid.has(nonce)) return settled;
    if (this.cancelled.has(nonce)) {
      return this.bug === "usedMeansPaid" ? settled : { kind: "dead", proof: { evidence: "cancelled", block: "1" } };
    }
    const isOver = this.blockTime >= validBefore.getTime() || this.bug === "impatient";
    return isOver ? { kind: "dead", proof: { evidence: "expired_unused", block: "1" } } : { kind: "unknown" };
  }
}
