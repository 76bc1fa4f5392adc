import { env } from "@/lib/platform/env";
import { isAnyVariableSet } from "./configuration";
import { createPayments } from "./create-payments";
import { decimalPriceUnder, describeAmountUnder } from "./describe-amount";
import type { PaymentQuote, Payments } from "./payments";

export { composeChallenge, composeSettlementHeader, MAX_CHALLENGE_CHARACTERS } from "./challenge";
export type {
  AttemptOnChain,
  Challenge,
  ChainVerdict,
  FacilitatorRole,
  FacilitatorState,
  NonPaymentEvidence,
  PaymentAvailability,
  PaymentQuote,
  Payments,
  PaymentTerms,
  PresentedPayment,
  ReadPaymentResult,
  SettleOutcome,
  VerifyOutcome,
} from "./payments";
export { composeDidDocument, withReceipt } from "./offer-receipt";
export type { DecimalPrice } from "./describe-amount";
export { readPayment } from "./read-payment";

let configured: Payments | undefined;

export const payments = (): Payments => (configured ??= createPayments(env));

export const isPaymentConfigured = (): boolean => isAnyVariableSet(env);

export const describeAmount = (amount: Parameters<typeof describeAmountUnder>[1]): string | undefined =>
  describeAmountUnder(env, amount);

export const decimalPrice = (quote: PaymentQuote) => decimalPriceUnder(env, quote);
