import { AppError } from "@/lib/contract/errors";
import { createAvailability } from "./availability";
import { createChain } from "./chain";
import { type PaymentVariables, readConfiguration } from "./configuration";
import { within } from "./deadline";
import { createFacilitator, type Facilitator } from "./facilitator";
import type { Payments, PaymentTerms, PresentedPayment, SettleOutcome, VerifyOutcome } from "./payments";
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
    describeFacilitators: () => Promise.resolve([]),
    readChainVerdict: () => Promise.resolve({ kind: "unknown", cause: NOT_CONFIGURED }),
  };
}

type Chain = ReturnType<typeof createChain>;

/** A reported success counts only if the chain shows it: a facilitator alone must not be able to give trials away. */
async function settleAndConfirm(
  chain: Chain,
  facilitator: Facilitator,
  payment: PresentedPayment,
  terms: PaymentTerms,
): Promise<SettleOutcome> {
  const outcome = await facilitator.settlePayment(payment, terms);
  if (outcome.kind !== "settled") return outcome;
  const { payTo, amount } = terms.requirement;
  const isShown = await chain.confirmTransfer({ ...payment, payTo, amountAtomic: amount }, outcome.transaction);
  return isShown ? outcome : { kind: "unclear", cause: "the chain does not show the reported settlement" };
}

type Roles = Record<"first", Facilitator> & Partial<Record<"fallback", Facilitator>>;

/** Verifies with the first facilitator, or with the fallback if the first gives no verdict. Submits nothing. */
async function verifyPayment(roles: Roles, payment: PresentedPayment, terms: PaymentTerms): Promise<VerifyOutcome> {
  try {
    const verdict = await roles.first.verifyPayment(payment, terms);
    return verdict.valid ? { valid: true, by: "first" } : verdict;
  } catch (error) {
    if (!roles.fallback) throw error;
    const verdict = await roles.fallback.verifyPayment(payment, terms);
    return verdict.valid ? { valid: true, by: "fallback" } : verdict;
  }
}

/** Faults that prevent sales: a faulty facilitator does not, as long as the other one works. */
async function listFaults({ first, fallback }: Roles, chain: Chain): Promise<string[]> {
  const [own, other, node] = await Promise.all([first.describe(), fallback?.describe(), chain.listFaults()]);
  const isServed = own.faults.length === 0 || other?.faults.length === 0;
  return [...(isServed ? [] : [...own.faults, ...(other?.faults ?? [])]), ...node];
}

/** Payments under the given configuration. While it is incomplete they are unavailable, and `missing` says why. */
export function createPayments(variables: PaymentVariables): Payments {
  const read = readConfiguration(variables);
  if ("missing" in read) return unavailablePayments(read.missing);
  const { configuration } = read;
  const chain = createChain(configuration);
  const [first, fallback] = configuration.facilitators.map((access) => createFacilitator(configuration, access));
  if (!first) throw new Error("the configuration has no facilitator");
  const roles: Roles = { first, ...(fallback && { fallback }) };
  const terms = composeTerms(configuration);
  const timeoutMs = configuration.settleTimeoutSeconds * 1000;
  return {
    readAvailability: createAvailability(async () => {
      const missing = await listFaults(roles, chain);
      return missing.length === 0 ? { available: true, terms } : { available: false, missing };
    }),
    readStartBlock: chain.readStartBlock,
    readIsSpent: chain.readIsSpent,
    readChainVerdict: chain.readChainVerdict,
    verifyPayment: (payment, agreed) => verifyPayment(roles, payment, agreed),
    describeFacilitators: () => Promise.all([first, fallback].flatMap((each) => (each ? [each.describe()] : []))),
    settlePayment(payment, agreed, { by = "first", signal } = {}) {
      const facilitator = roles[by];
      if (!facilitator) return Promise.resolve({ kind: "unclear", cause: "its facilitator is not configured" });
      const work = settleAndConfirm(chain, facilitator, payment, agreed);
      return within(work, { timeoutMs, signal }, () => ({ kind: "unclear", cause: "no answer in time" }));
    },
  };
}
