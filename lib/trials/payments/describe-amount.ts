import { findDefaultAsset } from "@x402/evm";
import { formatUnits } from "viem";

type TokenVariables = {
  X402_NETWORK?: string | undefined;
  X402_ASSET?: string | undefined;
  X402_TOKEN_NAME?: string | undefined;
  X402_TOKEN_DECIMALS?: number | undefined;
};

type Amount = { network: string; asset: string; amountAtomic: string };

/** An amount for people, e.g. `0.5 USDC`; undefined when the decimals of the token are not known. */
export function describeAmountUnder(
  given: TokenVariables,
  { network, asset, amountAtomic }: Amount,
): string | undefined {
  const isConfigured = given.X402_NETWORK === network && given.X402_ASSET?.toLowerCase() === asset.toLowerCase();
  const known = findDefaultAsset(asset, network as `eip155:${number}`); // safe: an unknown network has no known token
  const decimals = (isConfigured ? given.X402_TOKEN_DECIMALS : undefined) ?? known?.decimals;
  if (decimals === undefined || !/^\d+$/.test(amountAtomic)) return undefined;
  const unit = known?.symbol ?? (isConfigured ? given.X402_TOKEN_NAME : undefined);
  return [formatUnits(BigInt(amountAtomic), decimals), unit].filter(Boolean).join(" ");
}
