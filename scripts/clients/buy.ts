import { randomBytes } from "node:crypto";

import type * as AxiosLibrary from "axios";
import type * as EvmClient from "@x402/evm/exact/client";
import type * as FetchClient from "@x402/fetch";
import { createWalletClient, defineChain, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type * as AxiosClient from "x402-axios-2-11-0";
import type * as OlderEvmClient from "x402-evm-2-11-0/exact/client";

import { SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from "../sandbox/chain";
import { SANDBOX_PRICE_ATOMIC, type Sandbox } from "../sandbox/sandbox";
import type { Result } from "./client";
import { type ClientPackage, loadClient } from "./install";

type Shop = { url: string; sandbox: Sandbox };
type Answer = { status: number; text: string };
/** Sends a request with a JSON body, and pays if payment is required. */
type Send = (url: string, body: unknown) => Promise<Answer>;

const NETWORK = `eip155:${SANDBOX_CHAIN_ID}` as const;
/** Clients do not know the sandbox's token: since 2.27 they have to be configured to pay with it. */
const SPEND_CONTROLS = {
  allowedAssets: [{ network: NETWORK, asset: SANDBOX_TOKEN, maxAmountPerPayment: SANDBOX_PRICE_ATOMIC.toString() }],
};
const JSON_HEADERS = { "content-type": "application/json" };

function withFetch(privateKey: Hex): Send {
  const { wrapFetchWithPayment, x402Client } = loadClient("@x402/fetch") as typeof FetchClient;
  const { ExactEvmScheme } = loadClient("@x402/evm/exact/client") as typeof EvmClient;
  const client = new x402Client()
    .register(NETWORK, new ExactEvmScheme(privateKeyToAccount(privateKey)))
    .setSpendControls(SPEND_CONTROLS);
  const pay = wrapFetchWithPayment(fetch, client);
  return async (url, body) => {
    const response = await pay(url, { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
}

function withAxios(privateKey: Hex): Send {
  const { default: axios } = loadClient("axios") as typeof AxiosLibrary;
  const { wrapAxiosWithPayment, x402Client } = loadClient("@x402/axios") as typeof AxiosClient;
  const { ExactEvmScheme } = loadClient("@x402/evm/exact/client") as typeof OlderEvmClient;
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(privateKeyToAccount(privateKey)));
  const pay = wrapAxiosWithPayment(axios.create(), client);
  return async (url, body) => {
    const { status, data } = await pay.post<unknown>(url, body);
    return { status, text: JSON.stringify(data) };
  };
}

type SpendControlled = { setSpendControls: (controls: typeof SPEND_CONTROLS) => unknown };
type AgentKit = {
  ViemWalletProvider: new (client: unknown) => unknown;
  x402ActionProvider: () => {
    createX402Client: (wallet: unknown) => Promise<SpendControlled>;
    makeHttpRequestWithX402: (wallet: unknown, request: object) => Promise<string>;
  };
};

/** AgentKit reports each call to its vendor, which cannot be disabled, and a failed report terminates the process. */
function answerReports(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return url.startsWith("https://cca-lite.coinbase.com/") ? Promise.resolve(new Response()) : send(input, init);
  };
}

function withAgentKit(privateKey: Hex, { sandbox }: Shop): Send {
  answerReports();
  const { ViemWalletProvider, x402ActionProvider } = loadClient("@coinbase/agentkit") as AgentKit;
  const chain = defineChain({
    id: SANDBOX_CHAIN_ID,
    name: "Sandbox",
    nativeCurrency: { name: "None", symbol: "NONE", decimals: 18 },
    rpcUrls: { default: { http: [sandbox.variables.X402_RPC_URL] } },
  });
  const account = privateKeyToAccount(privateKey);
  const wallet = new ViemWalletProvider(createWalletClient({ account, chain, transport: http() }));
  const provider = x402ActionProvider();
  const create = provider.createX402Client.bind(provider);
  provider.createX402Client = async (given) => {
    const client = await create(given);
    client.setSpendControls(SPEND_CONTROLS);
    return client;
  };
  return async (url, body) => {
    const text = await provider.makeHttpRequestWithX402(wallet, { url, method: "POST", body });
    const { status = 0, data } = JSON.parse(text) as { status?: number; data?: unknown };
    return { status, text: data === undefined ? text : JSON.stringify(data) };
  };
}

/** Buys with the single-call purchase, then repeats the same call. */
async function buyTwice(send: Send, { url, sandbox }: Shop): Promise<Result> {
  const before = sandbox.income();
  const body = { origin: "https://agent.example", claim_token: randomBytes(32).toString("base64url") };
  const [first, second] = [
    await send(`${url}/api/v1/agent/trial`, body),
    await send(`${url}/api/v1/agent/trial`, body),
  ];
  const paid = sandbox.income() - before;
  if (first.status !== 200 || second.status !== 200 || paid !== SANDBOX_PRICE_ATOMIC)
    return { isConnected: false, says: `answered ${first.status} and ${second.status}, paid ${paid}: ${first.text}` };
  const { status_url } = JSON.parse(first.text) as { status_url: string };
  const status = await fetch(status_url, { headers: { authorization: `Bearer ${body.claim_token}` } });
  const hasKey = (await status.text()).includes('"api_key":"svc_trial_');
  return hasKey
    ? { isConnected: true, says: "bought with one call; repeating it did not pay again" }
    : { isConnected: false, says: `bought, but got no key: ${status.status}` };
}

type Buyer = { name: string; from: ClientPackage; buy: (shop: Shop) => Promise<Result> };

const buyer = (name: string, from: ClientPackage, wallet: (privateKey: Hex, shop: Shop) => Send): Buyer => ({
  name,
  from,
  buy: (shop) => buyTwice(wallet(shop.sandbox.createAccount().privateKey, shop), shop),
});

/** The paying clients, in their released versions. */
export const BUYERS: readonly Buyer[] = [
  buyer("@x402/fetch", "@x402/fetch", withFetch),
  buyer("@x402/axios", "@x402/axios", withAxios),
  buyer("AgentKit", "@coinbase/agentkit", withAgentKit),
];
