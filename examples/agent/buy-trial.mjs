// Buys an Agent Trial. Install: npm install @x402/fetch @x402/evm viem
// Run: IMPRINT_URL=https://imprint.example.com ORIGIN=https://your.site PRIVATE_KEY=0x… node buy-trial.mjs
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

/** @typedef {{ network: `${string}:${string}`, asset: string, amount_atomic: string }} Price */

/** Generate it before the first call and keep it: with it, the purchase continues after a crash of your program. */
export const drawClaimToken = () => randomBytes(32).toString("base64url");

/**
 * A `fetch` that pays one price with one token and nothing else.
 *
 * @param {Price} price
 * @param {`0x${string}`} privateKey
 */
function payingFetch({ network, asset, amount_atomic: maxAmountPerPayment }, privateKey) {
  const client = new x402Client()
    .register(network, new ExactEvmScheme(privateKeyToAccount(privateKey)))
    .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment }] });
  return wrapFetchWithPayment(fetch, client);
}

/**
 * Resolves to `{ state, … }`: active, unavailable, too_expensive, unfunded, failed, expired, refused or pending.
 *
 * @param {{ url: string, origin: string, privateKey: `0x${string}`, claimToken: string, mostAtomic?: string, patienceMs?: number }} wanted
 */
export async function buyTrial({ url, origin, privateKey, claimToken, mostAtomic = "1000000", patienceMs = 300_000 }) {
  const catalog = await fetch(`${url}/api/v1/agent/products`);
  const { products } = /** @type {{ products: { price?: Price }[] }} */ (await catalog.json());
  const price = products[0]?.price; // undefined while nothing is on sale
  if (price && BigInt(price.amount_atomic) > BigInt(mostAtomic))
    return { state: "too_expensive", reason: `${price.amount_atomic} of ${price.asset}` };

  // A purchase that is already paid continues while nothing is on sale: it needs no payment.
  const pay = price ? payingFetch(price, privateKey) : fetch;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ origin, claim_token: claimToken });
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt;) {
    let answer;
    try {
      answer = await pay(`${url}/api/v1/agent/trial`, { method: "POST", headers, body });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // the client refuses to sign
      await wait(1000); // the response was lost: repeating the call never pays twice
      continue;
    }
    const { status } = answer;
    const text = await answer.text();
    if (status === 200) return await readCredentials(text, claimToken);
    if (status === 402) return { state: text.includes("insufficient") ? "unfunded" : "failed", reason: text };
    if (!price && status !== 202) return { state: "unavailable", reason: text };
    if (status < 429 && status !== 202)
      return { state: text.includes('"intent_') ? "expired" : "refused", reason: text };
    await wait(1000 * Number(answer.headers.get("retry-after") ?? 2));
  }
  return { state: "pending", reason: "The money may already have moved: run this again with the same claim token" };
}

/** @param {string} answer @param {string} claimToken */
async function readCredentials(answer, claimToken) {
  const { status_url } = /** @type {{ status_url: string }} */ (JSON.parse(answer));
  const response = await fetch(status_url, { headers: { authorization: `Bearer ${claimToken}` } });
  const trial = /** @type {{ environment_id: string, api_key?: string }} */ (await response.json());
  return { ...trial, state: "active" }; // api_key is omitted an hour after its first delivery
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { IMPRINT_URL: url = "", ORIGIN: origin = "", PRIVATE_KEY = "", CLAIM_TOKEN } = process.env;
  const claimToken = CLAIM_TOKEN ?? drawClaimToken();
  console.error(`CLAIM_TOKEN=${claimToken}`);
  const result = await buyTrial({ url, origin, privateKey: `0x${PRIVATE_KEY.replace(/^0x/, "")}`, claimToken });
  console.log(JSON.stringify(result, undefined, 2));
  process.exitCode = result.state === "active" ? 0 : 1;
}
