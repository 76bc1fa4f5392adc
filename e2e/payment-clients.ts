import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import axios from "axios";
import type { PrivateKeyAccount } from "viem/accounts";
import { wrapAxiosWithPayment, x402Client as axiosClient } from "x402-axios-2-11-0";
import { ExactEvmScheme as ExactEvmScheme200 } from "x402-evm-2-0-0/exact/client";
import { ExactEvmScheme as ExactEvmScheme211 } from "x402-evm-2-11-0/exact/client";
import { ExactEvmScheme as ExactEvmScheme209 } from "x402-evm-2-9-0/exact/client";
import { wrapFetchWithPayment as wrapFetch200, x402Client as client200 } from "x402-fetch-2-0-0";
import { wrapFetchWithPayment as wrapFetch209, x402Client as client209 } from "x402-fetch-2-9-0";

import { SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from "@/scripts/sandbox/chain";
import { SANDBOX_PRICE_ATOMIC } from "@/scripts/sandbox/sandbox";

type Bought = { status: number; settlement: string | null };
type Buy = (account: PrivateKeyAccount, url: string, headers: Record<string, string>) => Promise<Bought>;

const NETWORK = `eip155:${SANDBOX_CHAIN_ID}` as const;
/** Since 2.27 a client has to be configured to pay with a token that it does not know. */
const SPEND_CONTROLS = {
  allowedAssets: [{ network: NETWORK, asset: SANDBOX_TOKEN, maxAmountPerPayment: SANDBOX_PRICE_ATOMIC.toString() }],
};

const byFetch =
  (wrap: (account: PrivateKeyAccount) => (url: string, init: RequestInit) => Promise<Response>): Buy =>
  async (account, url, headers) => {
    const response = await wrap(account)(url, { method: "POST", headers });
    await response.text();
    return { status: response.status, settlement: response.headers.get("payment-response") };
  };

/** Official clients in their released versions, each with the EVM scheme of its version. */
export const CLIENTS: Record<string, Buy> = {
  "@x402/fetch 2.0.0": byFetch((account) =>
    wrapFetch200(fetch, new client200().register(NETWORK, new ExactEvmScheme200(account))),
  ),
  "@x402/fetch 2.9.0": byFetch((account) =>
    wrapFetch209(fetch, new client209().register(NETWORK, new ExactEvmScheme209(account))),
  ),
  "@x402/axios 2.11.0": async (account, url, headers) => {
    const client = new axiosClient().register(NETWORK, new ExactEvmScheme211(account));
    const { status, headers: answered } = await wrapAxiosWithPayment(axios.create(), client).post(url, undefined, {
      headers,
    });
    const settlement: unknown = answered["payment-response"];
    return { status, settlement: typeof settlement === "string" ? settlement : null };
  },
  "@x402/fetch 2.27.0": byFetch((account) =>
    wrapFetchWithPayment(
      fetch,
      new x402Client().register(NETWORK, new ExactEvmScheme(account)).setSpendControls(SPEND_CONTROLS),
    ),
  ),
};
