import { FacilitatorTimeoutError, HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { SettleError, type SettleResponse, VerifyError } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/server";

import { AppError } from "@/lib/contract/errors";
import { failureText } from "@/lib/platform/failure-text";
import { tracer } from "@/lib/platform/tracing";
import type { PaymentConfiguration } from "./configuration";
import { authorizationHeaders, type FacilitatorAccess } from "./facilitator-access";
import { nameOf, withoutDetail } from "./failure";
import type { FacilitatorState, PaymentTerms, PresentedPayment, SettleOutcome } from "./payments";

const VERIFY_TIMEOUT_MS = 10_000;
const SUPPORTED_TIMEOUT_MS = 5_000;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;
/** Reasons become part of challenges, so only well-formed protocol codes are passed on. */
const REASON = /^[a-z0-9_]{1,80}$/;
const UNNAMED_REASON = "payment_refused";
/** Source: x402 core. Broadcast but not confirmed: no outcome yet. */
const PENDING_REASON = "settlement_pending";

/** What a buyer can do about refusals whose code is not self-explanatory. */
const ADVICE: Record<string, string> = {
  eip6492_factory_not_allowed:
    "the facilitator does not deploy wallets of this factory; deploy the wallet first, or pay from an existing account",
  smart_wallet_deployment_failed: "the wallet could not be deployed; deploy it first, or pay from an existing account",
};

function reasonOf(text: string | undefined): string {
  if (text === undefined || !REASON.test(text)) return UNNAMED_REASON;
  const advice = ADVICE[text];
  return advice === undefined ? text : `${text}: ${advice}`;
}

function createServer({ network }: PaymentConfiguration, access: FacilitatorAccess, timeoutMs: number) {
  const client = new HTTPFacilitatorClient({
    url: access.url,
    timeoutMs,
    async createAuthHeaders() {
      const [own, traced] = [await authorizationHeaders(access), tracer()?.outgoing()];
      return {
        verify: { ...own.verify, ...traced },
        settle: { ...own.settle, ...traced },
        supported: { ...own.supported, ...traced },
      };
    },
  });
  return { client, server: new x402ResourceServer(client).register(network, new ExactEvmScheme()) };
}

/** A success without a transaction on this network proves nothing. */
function readSettlement(answer: SettleResponse, payment: PresentedPayment, terms: PaymentTerms): SettleOutcome {
  const { network } = terms.requirement;
  if (!answer.success) {
    const reason = reasonOf(answer.errorReason);
    if (reason === PENDING_REASON) return { kind: "unclear", cause: reason };
    const response = { success: false, errorReason: reason, transaction: "", network, payer: payment.payer };
    return { kind: "refused", reason, response };
  }
  const isOurs =
    answer.network === network && (answer.payer === undefined || answer.payer.toLowerCase() === payment.payer);
  if (!isOurs || !TRANSACTION.test(answer.transaction)) return { kind: "unclear", cause: "implausible settlement" };
  const { transaction } = answer;
  return {
    kind: "settled",
    transaction,
    response: {
      success: true,
      transaction,
      network,
      payer: answer.payer ?? payment.payer,
      amount: terms.requirement.amount,
    },
  };
}

function readSettleFailure(error: unknown, payment: PresentedPayment, terms: PaymentTerms): SettleOutcome {
  // A 4xx refusal is definite; after a 5xx the payment may have been submitted.
  if (error instanceof SettleError && error.statusCode < 500 && error.errorReason) {
    const { network } = terms.requirement;
    return readSettlement({ success: false, errorReason: error.errorReason, transaction: "", network }, payment, terms);
  }
  return { kind: "unclear", cause: nameOf(error) };
}

/** @throws AppError `payment_unavailable` after a timeout, `facilitator_error` for any other failure */
async function verifyBy(server: x402ResourceServer, payment: PresentedPayment, terms: PaymentTerms): Promise<Verified> {
  try {
    const answer = await server.verifyPayment(payment.payload, terms.requirement);
    return answer.isValid ? { valid: true } : { valid: false, reason: reasonOf(answer.invalidReason) };
  } catch (error) {
    if (error instanceof VerifyError && error.statusCode < 500 && error.invalidReason) {
      return { valid: false, reason: reasonOf(error.invalidReason) };
    }
    const code = error instanceof FacilitatorTimeoutError ? "payment_unavailable" : "facilitator_error";
    throw new AppError(code, { cause: withoutDetail("facilitator", error) });
  }
}

type Verified = { valid: true } | { valid: false; reason: string };
type Kind = { x402Version: number; scheme: string; network: string };

const isServing =
  (wanted: string) =>
  ({ x402Version, scheme, network }: Kind): boolean =>
    x402Version === 2 && scheme === "exact" && (network === wanted || network === "eip155:*");

const AUTHORIZATIONS = { none: "without authorization", bearer: "with a bearer token", cdp: "with CDP keys" } as const;

export type Facilitator = {
  /** @throws AppError `facilitator_error`, `payment_unavailable` after a timeout; then nothing was submitted */
  verifyPayment: (payment: PresentedPayment, terms: PaymentTerms) => Promise<Verified>;
  /** Never throws. */
  settlePayment: (payment: PresentedPayment, terms: PaymentTerms) => Promise<SettleOutcome>;
  /** What it supports and what is wrong with it, for operators. Never throws. */
  describe: () => Promise<FacilitatorState>;
};

export function createFacilitator(configuration: PaymentConfiguration, access: FacilitatorAccess): Facilitator {
  const { variable, url, auth } = access;
  const { network } = configuration;
  const settleTimeoutMs = configuration.settleTimeoutSeconds * 1000;
  const verifier = createServer(configuration, access, Math.min(VERIFY_TIMEOUT_MS, settleTimeoutMs));
  const settler = createServer(configuration, access, settleTimeoutMs);
  const catalog = createServer(configuration, access, SUPPORTED_TIMEOUT_MS);

  return {
    verifyPayment: (payment, terms) => verifyBy(verifier.server, payment, terms),

    async settlePayment(payment, terms) {
      try {
        return readSettlement(await settler.server.settlePayment(payment.payload, terms.requirement), payment, terms);
      } catch (error) {
        return readSettleFailure(error, payment, terms);
      }
    },

    async describe() {
      const name = `${variable} (${new URL(url).host}, ${AUTHORIZATIONS[auth.kind]})`;
      try {
        const { kinds } = await catalog.client.getSupported();
        const served = kinds.map((kind) => `${kind.scheme} on ${kind.network} (version ${kind.x402Version})`);
        const supports = served.length === 0 ? "nothing" : served.join(", ");
        const faults = kinds.some(isServing(network))
          ? []
          : [`${variable} does not serve x402 version 2, exact, ${network}: it serves ${supports}`];
        return { name, supports, faults };
      } catch (error) {
        const hint = auth.kind === "none" ? "" : `; it was called ${AUTHORIZATIONS[auth.kind]}`;
        return {
          name,
          supports: undefined,
          faults: [`${variable} does not answer (${failureText(error) ?? nameOf(error)}${hint})`],
        };
      }
    },
  };
}
