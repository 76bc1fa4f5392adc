import { findDefaultAsset } from "@x402/evm";
import { formatUnits } from "viem";

import type { PaymentQuote } from "./payments";

type TokenVariables = {
  X402_NETWORK?: string | undefined;
  X402_ASSET?: string | undefined;
  X402_TOKEN_NAME?: string | undefined;
  X402_TOKEN_DECIMALS?: number | undefined;
};

type Amount = { network: string; asset: string; amountAtomic: string };

/** EIP-712 names and symbols of tokens pegged to the US dollar. */
const DOLLAR_TOKENS = /^(USDC|USD Coin|USDT|Tether USD|USDG|PYUSD)$/i;

function readToken(given: TokenVariables, { network, asset }: Pick<Amount, "network" | "asset">) {
  const isConfigured = given.X402_NETWORK === network && given.X402_ASSET?.toLowerCase() === asset.toLowerCase();
  const known = findDefaultAsset(asset, network as `eip155:${number}`); // safe: an unknown network has no known token
  return {
    decimals: (isConfigured ? given.X402_TOKEN_DECIMALS : undefined) ?? known?.decimals,
    unit: known?.symbol ?? (isConfigured ? given.X402_TOKEN_NAME : undefined),
  };
}

/** An amount for display, e.g. `0.5 USDC`; undefined if the token's decimals are unknown. */
export function describeAmountUnder(given: TokenVariables, amount: Amount): string | undefined {
  const { decimals, unit } = readToken(given, amount);
  if (decimals === undefined || !/^\d+$/.test(amount.amountAtomic)) return undefined;
  return [formatUnits(BigInt(amount.amountAtomic), decimals), unit].filter(Boolean).join(" ");
}

/** `currency` (ISO 4217) is set only if the token is pegged to it. */
export type DecimalPrice = { amount: string; currency?: "USD" };

/** A price in decimal units; undefined if the token's decimals are unknown. */
export function decimalPriceUnder(given: TokenVariables, quote: PaymentQuote): DecimalPrice | undefined {
  const { decimals, unit } = readToken(given, quote);
  if (decimals === undefined) return undefined;
  const amount = formatUnits(BigInt(quote.amount_atomic), decimals);
  return unit !== undefined && DOLLAR_TOKENS.test(unit) ? { amount, currency: "USD" } : { amount };
}
