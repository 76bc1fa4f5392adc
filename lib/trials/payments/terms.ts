import type { PaymentConfiguration } from "./configuration";
import type { PaymentTerms } from "./payments";

export function composeTerms(configuration: PaymentConfiguration): PaymentTerms {
  const { network, asset, payTo, amountAtomic, maxTimeoutSeconds, tokenName, tokenVersion } = configuration;
  return {
    requirement: {
      scheme: "exact",
      network,
      amount: amountAtomic,
      asset,
      payTo,
      maxTimeoutSeconds,
      extra: { name: tokenName, version: tokenVersion },
    },
    quote: { amount_atomic: amountAtomic, asset, network, pay_to: payTo },
  };
}
