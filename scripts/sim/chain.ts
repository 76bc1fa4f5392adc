import type { Attempt } from "@/lib/trials/domain/intent";
import type { Outcome, Verdict } from "@/lib/trials/domain/flow";

/** A signed authorization as a buyer holds it. */
export type Payment = {
  nonce: string;
  validBefore: Date;
  /** It can never be paid, e.g. for lack of funds. */
  isBad: boolean;
};

/** The injected failure: the only exception that a schedule may meet. Made once: stack traces cost more than all else. */
export const FAULT = new Error("an injected fault");

/** How a chain is misread. */
export type ChainBug = "impatient" | "usedMeansPaid";

/**
 * The token on one chain and a facilitator in front of it. A nonce moves money once, before its end; what the
 * facilitator answers need not be what happens.
 */
export class Chain {
  readonly paid = new Set<string>();
  private readonly cancelled = new Set<string>();
  /** Handed over, not mined yet. */
  private readonly pool: Payment[] = [];
  /** Unix milliseconds of the latest block. */
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

  /** One transfer of the pool is mined; false when there is none. */
  landOne(): boolean {
    if (this.pool.length === 0) return false;
    const [payment] = this.pool.splice(Math.floor(this.random() * this.pool.length), 1);
    if (payment) this.land(payment);
    return true;
  }

  /** The payer takes an authorization back; it fails for one that was paid. */
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

  /** What verification would find: nonces that were used, or payments that cannot be paid as things stand. */
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
