import { encodePaymentSignatureHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { type PaymentPayload, type PaymentRequired, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";

import { SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from "./chain";
import { SANDBOX_PRICE_ATOMIC } from "./sandbox";

type Fetch = typeof globalThis.fetch;

/** A buyer with a sandbox account that uses the official client. */
export function createBuyer(account: PrivateKeyAccount, options: { fetch?: Fetch } = {}) {
  let signatures = 0;
  // The client does not know the sandbox's token, so it has to be configured to pay with it.
  const client = new x402Client().register(`eip155:${SANDBOX_CHAIN_ID}`, new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [
      {
        network: `eip155:${SANDBOX_CHAIN_ID}`,
        asset: SANDBOX_TOKEN,
        maxAmountPerPayment: SANDBOX_PRICE_ATOMIC.toString(),
      },
    ],
  });
  client.onAfterPaymentCreation(() => {
    signatures += 1;
    return Promise.resolve();
  });
  return {
    account,
    /** Number of payments the buyer has signed. */
    signatures: () => signatures,
    /** A `fetch` that pays if payment is required. */
    pay: wrapFetchWithPayment(options.fetch ?? globalThis.fetch, client),
    /** Signs a payment for a challenge without sending it; `header` is the value of `PAYMENT-SIGNATURE`. */
    async sign(required: PaymentRequired): Promise<{ header: string; payload: PaymentPayload }> {
      const payload = await client.createPaymentPayload(required);
      return { header: encodePaymentSignatureHeader(payload), payload };
    },
  };
}

export type Buyer = ReturnType<typeof createBuyer>;
