import { env } from "@/lib/platform/env";
import { isAnyVariableSet } from "./configuration";
import { createPayments } from "./create-payments";
import { describeAmountUnder } from "./describe-amount";
import type { Payments } from "./payments";

export { composeChallenge, composeSettlementHeader } from "./challenge";
export type {
  AttemptOnChain,
  Challenge,
  ChainVerdict,
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
export { readPayment } from "./read-payment";

let configured: Payments | undefined;

export const payments = (): Payments => (configured ??= createPayments(env));

export const isPaymentConfigured = (): boolean => isAnyVariableSet(env);

export const describeAmount = (amount: Parameters<typeof describeAmountUnder>[1]): string | undefined =>
  describeAmountUnder(env, amount);
