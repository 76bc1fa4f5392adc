import { setTimeout as delay } from "node:timers/promises";

import { x402Facilitator } from "@x402/core/facilitator";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { isEIP3009Payload, toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, custom, defineChain, type Hex, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { SANDBOX_CHAIN_ID } from "./chain";
import type { Fault } from "./faults";
import type { Answer } from "./json-server";

/** The first development account of the public mnemonic "test test … junk". Its key is public. */
const FACILITATOR_KEY: Hex = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const CONFIRMATION_TIMEOUT_MS = 20_000;

const sandboxChain = defineChain({
  id: SANDBOX_CHAIN_ID,
  name: "Imprint sandbox",
  nativeCurrency: { name: "None", symbol: "NONE", decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

export type Dependencies = {
  request: (method: string, params: unknown[]) => Promise<unknown>;
  has: (fault: Fault) => boolean;
  slowAnswerMs: () => number;
  lastTransaction: () => Hex | undefined;
  setMining: (isOn: boolean) => Promise<void>;
  /** Spends a known buyer's authorization in another way before the facilitator can. */
  interfere: (how: "cancelled" | "other_transfer", payload: PaymentPayload) => Promise<void>;
  /** Makes the facilitator unreachable from now on. */
  die: () => void;
};

/** The official facilitator on this chain, without any state. */
function createOfficial({ request, has, die }: Dependencies): x402Facilitator {
  const account = privateKeyToAccount(FACILITATOR_KEY);
  const transport = custom(
    {
      async request({ method, params = [] }: { method: string; params?: unknown[] }) {
        const answer = await request(method, params);
        if (method === "eth_sendRawTransaction" && has("rpc_answer_lost")) throw new Error("socket hang up");
        return answer;
      },
    },
    { retryCount: 0 },
  );
  const client = createWalletClient({ account, chain: sandboxChain, transport, pollingInterval: 50 }).extend(
    publicActions,
  );
  // One broadcast at a time: concurrent ones would race for the account's nonce.
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const result = tail.then(task, task);
    tail = result.catch(() => undefined);
    return result;
  };
  const signer = toFacilitatorEvmSigner(
    {
      address: account.address,
      readContract: (call) => client.readContract({ ...call, args: call.args ?? [] }),
      verifyTypedData: (data) => client.verifyTypedData(data as Parameters<typeof client.verifyTypedData>[0]),
      writeContract: (call) =>
        inTurn(async () => {
          const hash = await client.writeContract({ ...call, args: call.args });
          if (has("kill_after_broadcast")) die();
          return hash;
        }),
      sendTransaction: (transaction) => client.sendTransaction(transaction),
      waitForTransactionReceipt: (wanted) => client.waitForTransactionReceipt(wanted),
      getCode: (wanted) => client.getCode(wanted),
    },
    { confirmationTimeoutMs: CONFIRMATION_TIMEOUT_MS },
  );
  return new x402Facilitator().register(`eip155:${SANDBOX_CHAIN_ID}`, new ExactEvmScheme(signer));
}

type Payment = { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements };

const ok = (body: unknown): Answer => ({ status: 200, body });
const FAILURE: Answer = { status: 500, body: { error: "internal error" } };

/** The three routes of a facilitator, with the effects of faults. */
export function createFacilitator(dependencies: Dependencies) {
  const { has, setMining, interfere } = dependencies;
  let official = createOfficial(dependencies);

  async function verify({ paymentPayload, paymentRequirements }: Payment): Promise<Answer> {
    if (has("verify_5xx")) return FAILURE;
    if (has("verify_timeout")) return "silence";
    if (has("verify_malformed")) return ok({ verdict: "fine" });
    if (has("verify_echoes_payment")) return { status: 500, body: { error: JSON.stringify(paymentPayload) } };
    return ok(await official.verify(paymentPayload, paymentRequirements));
  }

  /** The transaction that a lying facilitator returns. */
  function lie(): Hex | undefined {
    if (has("lying_success_with_last")) return dependencies.lastTransaction();
    return has("lying_success") ? `0x${"00".repeat(32)}` : undefined;
  }

  /** Handles faults that prevent the payment from being submitted. */
  async function answerUnsubmitted({ paymentPayload, paymentRequirements }: Payment): Promise<Answer | undefined> {
    if (has("expired_unused")) return FAILURE;
    const transaction = lie();
    if (transaction) return ok({ success: true, transaction, network: paymentRequirements.network });
    for (const how of ["cancelled", "other_transfer"] as const) {
      if (!has(how)) continue;
      await interfere(how, paymentPayload);
      return FAILURE;
    }
    return undefined;
  }

  async function settle(payment: Payment): Promise<Answer> {
    const unsubmitted = await answerUnsubmitted(payment);
    if (unsubmitted) return unsubmitted;
    if (has("unmined")) await setMining(false);
    const { paymentPayload, paymentRequirements } = payment;
    const settled = await official.settle(paymentPayload, paymentRequirements);
    if (has("kill_after_broadcast")) return "disconnect";
    if (has("accept_then_timeout")) return "silence";
    if (has("5xx_after_settle")) return FAILURE;
    if (has("malformed_answer")) return ok({ paid: "perhaps" });
    if (has("declared_safe")) {
      return ok({ ...settled, success: false, errorReason: "invalid_exact_evm_transaction_failed", transaction: "" });
    }
    if (has("slow_answer")) await delay(dependencies.slowAnswerMs());
    return ok(settled);
  }

  return {
    /** Discards all state, as a new process would. */
    restart: () => {
      official = createOfficial(dependencies);
    },
    async handle(path: string, body: unknown): Promise<Answer> {
      if (path === "/supported") return ok(official.getSupported());
      if (path === "/verify") return await verify(body as Payment);
      if (path === "/settle") return await settle(body as Payment);
      return { status: 404, body: { error: "not found" } };
    },
  };
}

/** The authorization in an EIP-3009 payload. */
export function authorizationOf({ payload }: PaymentPayload) {
  const exact = payload as Parameters<typeof isEIP3009Payload>[0];
  if (!isEIP3009Payload(exact)) throw new Error("the payload is not an EIP-3009 authorization");
  return exact.authorization;
}
