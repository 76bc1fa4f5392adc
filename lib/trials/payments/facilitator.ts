import { FacilitatorTimeoutError, HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { SettleError, type SettleResponse, VerifyError } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/server";

import { AppError } from "@/lib/contract/errors";
import { tracer } from "@/lib/platform/tracing";
import type { PaymentConfiguration } from "./configuration";
import { nameOf, withoutDetail } from "./failure";
import type { Payments, PaymentTerms, PresentedPayment, SettleOutcome } from "./payments";

const VERIFY_TIMEOUT_MS = 10_000;
const SUPPORTED_TIMEOUT_MS = 5_000;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;
/** Reasons become part of challenges, so only codes of the protocol's form are passed on. */
const REASON = /^[a-z0-9_]{1,80}$/;
const UNNAMED_REASON = "payment_refused";
/** Source: x402 core. Broadcast but not confirmed: no outcome yet. */
const PENDING_REASON = "settlement_pending";

const reasonOf = (text: string | undefined) => (text !== undefined && REASON.test(text) ? text : UNNAMED_REASON);

function createServer({ facilitatorUrl, facilitatorToken, network }: PaymentConfiguration, timeoutMs: number) {
  const authorization = facilitatorToken === undefined ? {} : { Authorization: `Bearer ${facilitatorToken}` };
  const client = new HTTPFacilitatorClient({
    url: facilitatorUrl,
    timeoutMs,
    createAuthHeaders() {
      const headers = { ...authorization, ...tracer()?.outgoing() };
      return Promise.resolve({ verify: headers, settle: headers, supported: headers });
    },
  });
  return { client, server: new x402ResourceServer(client).register(network, new ExactEvmScheme()) };
}

/** A success without a transaction of this network proves nothing. */
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
  // A 4xx refusal is an answer; after a 5xx the payment may have been submitted.
  if (error instanceof SettleError && error.statusCode < 500 && error.errorReason) {
    const { network } = terms.requirement;
    return readSettlement({ success: false, errorReason: error.errorReason, transaction: "", network }, payment, terms);
  }
  return { kind: "unclear", cause: nameOf(error) };
}

type Facilitator = Pick<Payments, "verifyPayment"> & {
  /** Never throws. */
  settlePayment: (payment: PresentedPayment, terms: PaymentTerms) => Promise<SettleOutcome>;
  /** Faults of the facilitator, for operators. */
  listFaults: () => Promise<string[]>;
};

export function createFacilitator(configuration: PaymentConfiguration): Facilitator {
  const settleTimeoutMs = configuration.settleTimeoutSeconds * 1000;
  const verifier = createServer(configuration, Math.min(VERIFY_TIMEOUT_MS, settleTimeoutMs));
  const settler = createServer(configuration, settleTimeoutMs);
  const catalog = createServer(configuration, SUPPORTED_TIMEOUT_MS);

  return {
    async verifyPayment(payment, terms) {
      try {
        const answer = await verifier.server.verifyPayment(payment.payload, terms.requirement);
        return answer.isValid ? { valid: true } : { valid: false, reason: reasonOf(answer.invalidReason) };
      } catch (error) {
        if (error instanceof VerifyError && error.statusCode < 500 && error.invalidReason) {
          return { valid: false, reason: reasonOf(error.invalidReason) };
        }
        const code = error instanceof FacilitatorTimeoutError ? "payment_unavailable" : "facilitator_error";
        throw new AppError(code, { cause: withoutDetail("facilitator", error) });
      }
    },

    async settlePayment(payment, terms) {
      try {
        return readSettlement(await settler.server.settlePayment(payment.payload, terms.requirement), payment, terms);
      } catch (error) {
        return readSettleFailure(error, payment, terms);
      }
    },

    async listFaults() {
      try {
        const { kinds } = await catalog.client.getSupported();
        const isServed = kinds.some(
          ({ x402Version, scheme, network }) =>
            x402Version === 2 && scheme === "exact" && (network === configuration.network || network === "eip155:*"),
        );
        return isServed ? [] : [`X402_FACILITATOR_URL does not serve x402 version 2, exact, ${configuration.network}`];
      } catch (error) {
        return [`X402_FACILITATOR_URL does not answer (${nameOf(error)})`];
      }
    },
  };
}
