import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 250;
const POLL_TIMEOUT_MS = 120_000;

/** @param {string} header */
const decode = (header) => JSON.parse(Buffer.from(header, "base64").toString("utf8"));

/** An answer of the expected status as JSON. @param {Response} response @param {readonly number[]} statuses */
async function expectJson(response, statuses) {
  const text = await response.text();
  if (!statuses.includes(response.status)) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Follows the links of the catalog to the products. @param {string} imprintUrl */
export async function discover(imprintUrl) {
  const response = await fetch(`${imprintUrl}/api/v1/agent/products`);
  const { products } = await expectJson(response, [200]);
  const product = products.find((/** @type {{ available: boolean }} */ each) => each.available);
  if (!product) throw new Error("The catalog has no product that can be bought now.");
  return { product, link: response.headers.get("link") };
}

/** @param {string} imprintUrl @param {{ productCode: string, origin: string }} wanted */
export async function createIntent(imprintUrl, { productCode, origin }) {
  const response = await fetch(`${imprintUrl}/api/v1/agent/trial-intents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ product_code: productCode, origin }),
  });
  return await expectJson(response, [201]);
}

const bearer = (/** @type {string} */ token) => ({ authorization: `Bearer ${token}` });

/** The challenge of an intent: what has to be paid. @param {{ activate_url: string, claim_token: string }} intent */
export async function readChallenge({ activate_url, claim_token }) {
  const response = await fetch(activate_url, { method: "POST", headers: bearer(claim_token) });
  await expectJson(response, [402]);
  return decode(response.headers.get("payment-required") ?? "");
}

/**
 * Pays with the official client.
 *
 * @param {{ activate_url: string, claim_token: string }} intent
 * @param {typeof fetch} pay
 */
export async function activate({ activate_url, claim_token }, pay) {
  const response = await pay(activate_url, { method: "POST", headers: bearer(claim_token) });
  const body = await expectJson(response, [200, 202]);
  const settlement = response.headers.get("payment-response");
  return { status: response.status, body, settlement: settlement === null ? undefined : decode(settlement) };
}

/** Polls until the trial is active. @param {{ status_url: string, claim_token: string }} intent */
export async function waitForCredentials({ status_url, claim_token }) {
  const endsAt = performance.now() + POLL_TIMEOUT_MS;
  for (;;) {
    const state = await expectJson(await fetch(status_url, { headers: bearer(claim_token) }), [200]);
    if (state.status === "active") return state;
    if (["expired", "revoked", "payment_failed"].includes(state.status))
      throw new Error(`The purchase ended as ${state.status}.`);
    if (performance.now() > endsAt) throw new Error(`The purchase is still ${state.status}.`);
    await delay(POLL_MS);
  }
}

/** @param {string} imprintUrl @param {string} where @param {string} apiKey */
export const read = async (imprintUrl, where, apiKey) =>
  await expectJson(await fetch(imprintUrl + where, { headers: { "x-api-key": apiKey } }), [200]);
