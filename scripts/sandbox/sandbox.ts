import type { PaymentPayload } from "@x402/core/types";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";

import { Chain, SANDBOX_CHAIN_ID, SANDBOX_TOKEN } from "./chain";
import { createFacilitator } from "./facilitator";
import type { Fault } from "./faults";
import { createInterference } from "./interference";
import { type Answer, startJsonServer } from "./json-server";
import { answerBody, createRequest } from "./rpc";

export const SANDBOX_PRICE_ATOMIC = 1_000_000n;
/** The third development account of the public mnemonic; receives the payments. */
const PAY_TO: Address = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const SLOW_ANSWER_MS = 1_000;

/** The accounts of the sandbox's buyers, by address. */
function createAccounts({ token }: Chain) {
  const accounts = new Map<string, PrivateKeyAccount>();
  return {
    create: (amountAtomic = 10n * SANDBOX_PRICE_ATOMIC, privateKey: Hex = generatePrivateKey()) => {
      const account = privateKeyToAccount(privateKey);
      accounts.set(account.address.toLowerCase(), account);
      token.credit(account.address, amountAtomic);
      return { ...account, privateKey };
    },
    /** Creates an account with an unlimited balance: after each payment it is topped up to the same amount. */
    createRefilled: () => {
      const privateKey = generatePrivateKey();
      const account = privateKeyToAccount(privateKey);
      accounts.set(account.address.toLowerCase(), account);
      token.refill(account.address, 10n * SANDBOX_PRICE_ATOMIC);
      return { ...account, privateKey };
    },
    find: (address: string): PrivateKeyAccount => {
      const account = accounts.get(address.toLowerCase());
      if (!account) throw new Error("the payer is not a buyer of this sandbox");
      return account;
    },
  };
}

/** Starts the facilitator's HTTP service, which can be killed and revived. */
async function startFacilitator(
  dependencies: Omit<Parameters<typeof createFacilitator>[0], "die">,
  seen: Record<"supported" | "verify" | "settle", number>,
) {
  let isDead = false;
  const handle = async ({ path, body }: { path: string; body: unknown }): Promise<Answer> => {
    if (isDead || dependencies.has("facilitator_down")) return "disconnect";
    const name = path.slice(1);
    if (name === "supported" || name === "verify" || name === "settle") seen[name] += 1;
    return await facilitator.handle(path, body);
  };
  const server = await startJsonServer(handle);
  const facilitator = createFacilitator({
    ...dependencies,
    die: () => {
      isDead = true;
      server.disconnectAll();
    },
  });
  return {
    ...server,
    revive: () => {
      facilitator.restart();
      isDead = false;
    },
  };
}

/**
 * Simulates a seller's external services on this machine: a chain with one EIP-3009 token, and the official
 * facilitator. No real money is involved, and nothing signed here is valid on a public network.
 */
export async function startSandbox() {
  const chain = new Chain();
  const request = createRequest(chain);
  const faults = new Set<Fault>();
  const seen = { supported: 0, verify: 0, settle: 0 };
  const accounts = createAccounts(chain);
  const buyers = createInterference(chain, accounts.find);
  let slowAnswerMs = SLOW_ANSWER_MS;
  const facilitator = await startFacilitator(
    {
      request,
      has: (fault) => faults.has(fault),
      slowAnswerMs: () => slowAnswerMs,
      setMining: (isOn) => chain.setMining(isOn),
      lastTransaction: () => [...chain.transactions.keys()].at(-1),
      interfere: (how, payload) => (how === "cancelled" ? buyers.cancel(payload) : buyers.useOtherwise(payload)),
    },
    seen,
  );
  const rpc = await startJsonServer(async ({ body }) =>
    faults.has("reconcile_unavailable") ? "disconnect" : { status: 200, body: await answerBody(request, body) },
  );

  return {
    chain,
    /** Number of calls to the facilitator. */
    seen,
    /** Environment of a service that sells in this sandbox. */
    variables: {
      X402_FACILITATOR_URL: facilitator.url,
      X402_RPC_URL: rpc.url,
      X402_NETWORK: `eip155:${SANDBOX_CHAIN_ID}`,
      X402_ASSET: SANDBOX_TOKEN as string,
      X402_PAY_TO: PAY_TO as string,
      X402_AMOUNT_ATOMIC: SANDBOX_PRICE_ATOMIC.toString(),
      X402_TOKEN_NAME: chain.token.name,
      X402_TOKEN_VERSION: chain.token.version,
      X402_TOKEN_DECIMALS: "6",
    },
    /** Creates a funded account. */
    createAccount: accounts.create,
    /** Creates an account with an unlimited balance. */
    createRefilledAccount: accounts.createRefilled,
    /** Total received by the seller, in atomic units. */
    income: () => chain.token.balanceOf(PAY_TO),
    /** Injects faults until `heal` is called. */
    inject: (...names: Fault[]) => {
      for (const name of names) faults.add(name);
    },
    setSlowAnswer: (milliseconds: number) => (slowAnswerMs = milliseconds),
    /** Ends all faults, mines pending transactions, and restarts a dead facilitator without its state. */
    heal: async () => {
      faults.clear();
      facilitator.revive();
      await chain.setMining(true);
    },
    /** Cancels a payment's authorization as its buyer. */
    cancel: (payload: PaymentPayload) => buyers.cancel(payload),
    close: async () => {
      await Promise.all([facilitator.close(), rpc.close()]);
    },
  };
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
