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
  DeathEvidence,
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

/** The payments of this installation, as the environment configures them. */
export const payments = (): Payments => (configured ??= createPayments(env));

/** Whether somebody began to configure payments. */
export const isPaymentConfigured = (): boolean => isAnyVariableSet(env);

/** An amount as people write it, e.g. `0.5 USDC`; nothing for a token whose decimals nobody told. */
export const describeAmount = (amount: Parameters<typeof describeAmountUnder>[1]): string | undefined =>
  describeAmountUnder(env, amount);
