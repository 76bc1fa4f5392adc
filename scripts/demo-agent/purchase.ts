import { setTimeout as delay } from "node:timers/promises";

import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import type { z } from "zod";

import { listProductsOperation } from "@/lib/contract/product";
import { createIntentOperation, readIntentOperation } from "@/lib/contract/trial";

const POLL_MS = 250;
const POLL_TIMEOUT_MS = 120_000;

export type Intent = z.infer<(typeof createIntentOperation.responses)[201]>;

/** Parses a response with an expected status as JSON. */
async function expectJson(response: Response, statuses: readonly number[]): Promise<unknown> {
  const text = await response.text();
  if (!statuses.includes(response.status)) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Follows the links of the catalog to the products. */
export async function discover(imprintUrl: string) {
  const response = await fetch(`${imprintUrl}/api/v1/agent/products`);
  const { products } = listProductsOperation.responses[200].parse(await expectJson(response, [200]));
  const product = products.find(({ available }) => available);
  if (!product) throw new Error("The catalog has no product on sale.");
  return { product, link: response.headers.get("link") ?? "" };
}

type Wanted = { productCode: string; origin: string };

export async function createIntent(imprintUrl: string, { productCode, origin }: Wanted): Promise<Intent> {
  const response = await fetch(`${imprintUrl}/api/v1/agent/trial-intents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ product_code: productCode, origin }),
  });
  return createIntentOperation.responses[201].parse(await expectJson(response, [201]));
}

export const bearer = ({ claim_token: token }: Pick<Intent, "claim_token">) => ({ authorization: `Bearer ${token}` });

/** Requests the payment challenge of an intent. */
export async function readChallenge(intent: Intent) {
  const response = await fetch(intent.activate_url, { method: "POST", headers: bearer(intent) });
  await expectJson(response, [402]);
  return decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "");
}

/** Pays with the official client. */
export async function activate(intent: Intent, pay: typeof fetch) {
  const response = await pay(intent.activate_url, { method: "POST", headers: bearer(intent) });
  await expectJson(response, [200, 202]);
  const settlement = response.headers.get("payment-response");
  return {
    status: response.status,
    settlement: settlement === null ? undefined : decodePaymentResponseHeader(settlement),
  };
}

/** Polls until the trial is active and its key is delivered. */
export async function waitForCredentials(intent: Intent) {
  const endsAt = performance.now() + POLL_TIMEOUT_MS;
  for (;;) {
    const answer = await expectJson(await fetch(intent.status_url, { headers: bearer(intent) }), [200]);
    const state = readIntentOperation.responses[200].parse(answer);
    if ("api_key" in state) return state;
    if (["expired", "revoked", "payment_failed"].includes(state.status))
      throw new Error(`The purchase ended with status ${state.status}.`);
    if (performance.now() > endsAt) throw new Error(`The purchase is still ${state.status}.`);
    await delay(POLL_MS);
  }
}
export type Credentials = Awaited<ReturnType<typeof waitForCredentials>>;

export const readJson = async (url: string, apiKey: string): Promise<unknown> =>
  expectJson(await fetch(url, { headers: { "x-api-key": apiKey } }), [200]);
