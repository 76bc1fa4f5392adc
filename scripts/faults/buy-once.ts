import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { decodePaymentRequiredHeader } from "@x402/core/http";

import { anAddress } from "@/test/trials";
import { createBuyer } from "../sandbox/buyer";
import type { Sandbox } from "../sandbox/sandbox";
import { until } from "../common/until";

const PURCHASE_MS = 180_000;
const PAUSE_MS = 40;
const SINGLE_CALL = "/api/v1/agent/trial";

export type Shop = {
  sandbox: Sandbox;
  /** Where requests are sent; answers may be lost on the way. */
  url: string;
  random: () => number;
};

/** Without pauses of its own: what is asked pauses after most answers. */
const inTime = <T>(look: () => Promise<T | undefined>, what: string): Promise<T> =>
  until(look, { what: `${what} did not happen in time`, timeoutMs: PURCHASE_MS, everyMs: 0 });

type Answer = { status: number; text: string; challenge: string | null };
type Bought = {
  address: string;
  /** Number of payments signed; at most one of them may have been taken. */
  signatures: number;
  calls: number;
  lostAnswers: number;
  violations: string[];
};

/** A buyer that repeats its call until the trial is active, and signs a payment for every challenge it gets. */
class Repeater {
  readonly account;
  readonly #wallet;
  readonly #claimToken = randomBytes(32).toString("base64url");
  readonly #address = anAddress();
  readonly #shop: Shop;
  #held: string | undefined;
  calls = 0;
  lostAnswers = 0;

  constructor(shop: Shop) {
    this.#shop = shop;
    this.account = shop.sandbox.createAccount();
    this.#wallet = createBuyer(this.account);
  }

  get signatures(): number {
    return this.#wallet.signatures();
  }

  /** Undefined if the answer was lost or the service was not reachable. */
  async #ask(path: string, init: RequestInit = {}): Promise<Answer | undefined> {
    this.calls += 1;
    try {
      const headers = { "x-forwarded-for": this.#address, ...(init.headers as Record<string, string> | undefined) };
      const response = await fetch(this.#shop.url + path, { ...init, headers });
      const challenge = response.headers.get("payment-required");
      return { status: response.status, text: await response.text(), challenge };
    } catch {
      this.lostAnswers += 1;
      await delay(PAUSE_MS);
      return undefined;
    }
  }

  #call(signature: string | undefined): Promise<Answer | undefined> {
    const body = JSON.stringify({ origin: "https://agent.example", claim_token: this.#claimToken });
    const payment = signature === undefined ? {} : { "payment-signature": signature };
    return this.#ask(SINGLE_CALL, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...payment },
    });
  }

  /** The payments presented in this round: mostly the current one, sometimes none, and sometimes both at once. */
  #presented(): (string | undefined)[] {
    const draw = this.#shop.random();
    if (draw < 0.1) return [this.#held, this.#held];
    if (draw < 0.2) return [this.#held, undefined];
    return draw < 0.3 ? [undefined] : [this.#held];
  }

  /**
   * The intent, once its trial is active.
   *
   * @throws Error for an answer that repeating does not change
   */
  async #round(): Promise<string | undefined> {
    const answers = await Promise.all(this.#presented().map((signature) => this.#call(signature)));
    for (const answer of answers) {
      if (!answer) continue;
      const { status, text, challenge } = answer;
      if (status === 200) return (JSON.parse(text) as { intent_id: string }).intent_id;
      if (status === 402) this.#held = (await this.#wallet.sign(decodePaymentRequiredHeader(challenge ?? ""))).header;
      else if (status === 202 || status === 429 || status >= 500) await delay(PAUSE_MS);
      else throw new Error(`answered ${status}: ${text}`);
    }
    return undefined;
  }

  async complete(): Promise<void> {
    const intentId = await inTime(() => this.#round(), "an active trial");
    const headers = { authorization: `Bearer ${this.#claimToken}` };
    const key = await inTime(async () => {
      const answer = await this.#ask(`/api/v1/agent/trial-intents/${intentId}`, { headers });
      return answer?.status === 200 ? (JSON.parse(answer.text) as { api_key?: string }).api_key : undefined;
    }, "a key");
    await inTime(async () => {
      const answer = await this.#ask(SINGLE_CALL, { headers: { "x-api-key": key } });
      return answer?.status === 200 ? true : undefined;
    }, "a grant");
  }
}

/** Makes one purchase, repeating it until it is complete. */
export async function buyOnce(shop: Shop): Promise<Bought> {
  const buyer = new Repeater(shop);
  const violations = await buyer.complete().then(
    () => [],
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );
  const { signatures, calls, lostAnswers } = buyer;
  return { address: buyer.account.address, signatures, calls, lostAnswers, violations };
}
