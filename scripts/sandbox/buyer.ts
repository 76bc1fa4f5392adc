import { encodePaymentSignatureHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { type PaymentPayload, type PaymentRequired, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";

import { SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from "./chain";
import { SANDBOX_PRICE_ATOMIC } from "./sandbox";

type Fetch = typeof globalThis.fetch;

/** A buyer who holds an account of the sandbox and uses the official client. */
export function createBuyer(account: PrivateKeyAccount, options: { fetch?: Fetch } = {}) {
  let signatures = 0;
  // The token is none of those that the client knows, so it has to be told to pay with it.
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
    /** How often the buyer signed a payment. */
    signatures: () => signatures,
    /** `fetch` that pays when it is asked to. */
    pay: wrapFetchWithPayment(options.fetch ?? globalThis.fetch, client),
    /** Signs a payment for a challenge without sending it: the value of `PAYMENT-SIGNATURE`. */
    async sign(required: PaymentRequired): Promise<{ header: string; payload: PaymentPayload }> {
      const payload = await client.createPaymentPayload(required);
      return { header: encodePaymentSignatureHeader(payload), payload };
    },
  };
}

export type Buyer = ReturnType<typeof createBuyer>;
