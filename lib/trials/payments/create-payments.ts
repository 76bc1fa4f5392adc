import { AppError } from "@/lib/contract/errors";
import { createAvailability } from "./availability";
import { createChain } from "./chain";
import { type PaymentVariables, readConfiguration } from "./configuration";
import { within } from "./deadline";
import { createFacilitator } from "./facilitator";
import type { Payments, PaymentTerms, PresentedPayment, SettleOutcome } from "./payments";
import { composeTerms } from "./terms";

const NOT_CONFIGURED = "payments are not configured";

function unavailablePayments(missing: string[]): Payments {
  const refuse = () => Promise.reject(new AppError("payment_unavailable", { cause: new Error(NOT_CONFIGURED) }));
  return {
    readAvailability: () => Promise.resolve({ available: false, missing }),
    readStartBlock: refuse,
    readIsSpent: refuse,
    verifyPayment: refuse,
    settlePayment: () => Promise.resolve({ kind: "unclear", cause: NOT_CONFIGURED }),
    readChainVerdict: () => Promise.resolve({ kind: "unknown", cause: NOT_CONFIGURED }),
  };
}

type Parties = { chain: ReturnType<typeof createChain>; facilitator: ReturnType<typeof createFacilitator> };

/** A success counts only when the chain shows it: a facilitator alone cannot give trials away. */
async function settleAndConfirm(
  { chain, facilitator }: Parties,
  payment: PresentedPayment,
  terms: PaymentTerms,
): Promise<SettleOutcome> {
  const outcome = await facilitator.settlePayment(payment, terms);
  if (outcome.kind !== "settled") return outcome;
  const { payTo, amount } = terms.requirement;
  const isShown = await chain.confirmTransfer({ ...payment, payTo, amountAtomic: amount }, outcome.transaction);
  return isShown ? outcome : { kind: "unclear", cause: "the chain does not show the reported settlement" };
}

/** Payments under one configuration; while it is incomplete they are unavailable and `missing` says why. */
export function createPayments(variables: PaymentVariables): Payments {
  const read = readConfiguration(variables);
  if ("missing" in read) return unavailablePayments(read.missing);
  const { configuration } = read;
  const [chain, facilitator] = [createChain(configuration), createFacilitator(configuration)];
  const terms = composeTerms(configuration);
  const timeoutMs = configuration.settleTimeoutSeconds * 1000;
  return {
    readAvailability: createAvailability(async () => {
      const missing = (await Promise.all([facilitator.listFaults(), chain.listFaults()])).flat();
      return missing.length === 0 ? { available: true, terms } : { available: false, missing };
    }),
    readStartBlock: chain.readStartBlock,
    readIsSpent: chain.readIsSpent,
    readChainVerdict: chain.readChainVerdict,
    verifyPayment: facilitator.verifyPayment,
    settlePayment: (payment, terms, signal) =>
      within(settleAndConfirm({ chain, facilitator }, payment, terms), { timeoutMs, signal }, () => ({
        kind: "unclear",
        cause: "no answer in time",
      })),
  };
}
