import { addressPrefix } from "@/lib/network";
import { deriveKey, hmac, peppers } from "@/lib/secrets";
import { blockingTexts } from "./domain/blocking-keys";
import type { DeviceTraits } from "./domain/traits";

const CLAIM_BYTES = 16;
const NETWORK_BYTES = 9;

const purpose = (workspaceId: string) => `device keys ${workspaceId}`;

/** Signed, as PostgreSQL's bigint. */
const keyOf = (key: Uint8Array, text: string): string => hmac(key, text).readBigInt64BE().toString();

/**
 * The keys under which a device of these traits is filed, and those under which it may have been: of older peppers too.
 * Without the workspace's secret they tell nothing.
 */
export function keysOf(workspaceId: string, traits: DeviceTraits): { filing: string[]; search: string[] } {
  const texts = blockingTexts(traits);
  const search = peppers().flatMap((pepper) => {
    const key = deriveKey(purpose(workspaceId), pepper);
    return texts.map((text) => keyOf(key, text));
  });
  return { filing: search.slice(0, texts.length), search };
}

/** Equal for visits that show exactly the same, from one network. */
export const claimKeyOf = (workspaceId: string, traits: DeviceTraits): Uint8Array =>
  hmac(deriveKey(purpose(workspaceId)), "claim\n", JSON.stringify(traits)).subarray(0, CLAIM_BYTES);

/** A digest of the address's neighbourhood: profiles hold no addresses. */
export const networkDigest = (workspaceId: string, address: string | undefined): string =>
  address === undefined
    ? ""
    : hmac(deriveKey(purpose(workspaceId)), "network\n", addressPrefix(address))
        .subarray(0, NETWORK_BYTES)
        .toString("base64url");
