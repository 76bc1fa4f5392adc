import { findDefaultAsset } from "@x402/evm";
import { type Address, getAddress, isAddress } from "viem";

import { type AccessVariables, type FacilitatorAccess, readAccess } from "./facilitator-access";

/** The variables that configure payments, as parsed by `lib/platform/env.ts`. */
export type PaymentVariables = AccessVariables & {
  X402_RPC_URL?: string | undefined;
  X402_NETWORK?: string | undefined;
  X402_ASSET?: string | undefined;
  X402_PAY_TO?: string | undefined;
  X402_AMOUNT_ATOMIC?: string | undefined;
  X402_TOKEN_NAME?: string | undefined;
  X402_TOKEN_VERSION?: string | undefined;
  X402_MAX_TIMEOUT_S: number;
  X402_SETTLE_TIMEOUT_S: number;
  X402_CONFIRMATIONS?: number | undefined;
};

export type PaymentConfiguration = {
  /** The first one verifies and settles; the second one takes over when the first cannot verify. */
  facilitators: readonly FacilitatorAccess[];
  rpcUrl: string;
  network: `eip155:${number}`;
  chainId: number;
  asset: Address;
  payTo: Address;
  amountAtomic: string;
  tokenName: string;
  tokenVersion: string;
  maxTimeoutSeconds: number;
  settleTimeoutSeconds: number;
  /** Undefined to read the chain's `finalized` block. */
  confirmations: number | undefined;
};

/** Chain id of the payments sandbox and of local development nodes. */
const SANDBOX_CHAIN_ID = 31_337;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MAX_ATOMIC = 2n ** 256n - 1n;

const REQUIRED = [
  "X402_FACILITATOR_URL",
  "X402_RPC_URL",
  "X402_NETWORK",
  "X402_ASSET",
  "X402_PAY_TO",
  "X402_AMOUNT_ATOMIC",
] as const;

/** Whether payments are configured at least in part. */
export const isAnyVariableSet = (given: PaymentVariables): boolean =>
  REQUIRED.some((name) => given[name] !== undefined);

function readChainId(network: string): number | undefined {
  const digits = /^eip155:([1-9]\d{0,14})$/.exec(network)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const readAmount = (text: string) => /^[1-9]\d{0,77}$/.test(text) && BigInt(text) <= MAX_ATOMIC;

/** Name and version of the token's EIP-712 domain: as configured, or else as known to the x402 packages. */
function readTokenDomain(given: PaymentVariables, network: `eip155:${number}`, asset: Address) {
  const known = findDefaultAsset(asset, network);
  return {
    tokenName: given.X402_TOKEN_NAME ?? known?.name,
    tokenVersion: given.X402_TOKEN_VERSION ?? known?.version,
    // Reconciliation reads EIP-3009 events, which tokens that need Permit2 do not emit.
    needsPermit2: known?.assetTransferMethod !== undefined && known.assetTransferMethod !== "eip3009",
  };
}

function sandboxProblems(chainId: number, urls: string[]): string[] {
  if (chainId !== SANDBOX_CHAIN_ID) return [];
  const isLocal = urls.every((url) => LOOPBACK.test(new URL(url).hostname));
  return isLocal
    ? []
    : ["X402_NETWORK eip155:31337 is the sandbox: its facilitator and RPC must be on this machine (loopback)"];
}

/** The configuration, or a list of everything missing or invalid. */
export function readConfiguration(
  given: PaymentVariables,
): { configuration: PaymentConfiguration } | { missing: string[] } {
  const absent = REQUIRED.filter((name) => given[name] === undefined);
  const missing: string[] = absent.map((name) => `${name} is not set`);
  const { X402_NETWORK = "", X402_ASSET = "", X402_PAY_TO = "", X402_AMOUNT_ATOMIC = "" } = given;
  const { X402_RPC_URL: rpcUrl } = given;
  const access = readAccess(given);
  if ("missing" in access) missing.push(...access.missing);
  const chainId = readChainId(X402_NETWORK);
  const problem = (name: (typeof REQUIRED)[number], text: string, isGood: boolean) => {
    if (!isGood && given[name] !== undefined) missing.push(`${name} ${text}`);
  };
  problem("X402_NETWORK", "is not eip155:CHAIN_ID", chainId !== undefined);
  problem("X402_ASSET", "is not an address", isAddress(X402_ASSET, { strict: true }));
  problem("X402_PAY_TO", "is not an address", isAddress(X402_PAY_TO, { strict: true }));
  problem("X402_PAY_TO", "is the zero address", !/^0x0{40}$/.test(X402_PAY_TO));
  problem("X402_AMOUNT_ATOMIC", "is not a whole number of atomic units above 0", readAmount(X402_AMOUNT_ATOMIC));
  if (missing.length > 0 || chainId === undefined || rpcUrl === undefined || "missing" in access) return { missing };
  const { facilitators } = access;
  const network = `eip155:${chainId}` as const;
  const [asset, payTo] = [getAddress(X402_ASSET), getAddress(X402_PAY_TO)];
  const { tokenName, tokenVersion, needsPermit2 } = readTokenDomain(given, network, asset);
  if (tokenName === undefined) missing.push("X402_TOKEN_NAME is not set and the token is not a known one");
  if (tokenVersion === undefined) missing.push("X402_TOKEN_VERSION is not set and the token is not a known one");
  if (needsPermit2) missing.push("X402_ASSET does not support EIP-3009");
  missing.push(...sandboxProblems(chainId, [...facilitators.map(({ url }) => url), rpcUrl]));
  if (tokenName === undefined || tokenVersion === undefined || missing.length > 0) return { missing };
  return {
    configuration: {
      facilitators,
      rpcUrl,
      network,
      chainId,
      asset,
      payTo,
      amountAtomic: X402_AMOUNT_ATOMIC,
      tokenName,
      tokenVersion,
      maxTimeoutSeconds: given.X402_MAX_TIMEOUT_S,
      settleTimeoutSeconds: given.X402_SETTLE_TIMEOUT_S,
      confirmations: given.X402_CONFIRMATIONS,
    },
  };
}
