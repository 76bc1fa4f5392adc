import { addressPrefix } from "@/lib/network";
import { deriveKey, hmac, peppers } from "@/lib/secrets";
import { blockingTexts } from "./domain/blocking-keys";
import type { DeviceTraits } from "./domain/traits";

const CLAIM_BYTES = 16;
const NETWORK_BYTES = 9;

const purpose = (workspaceId: string) => `device keys ${workspaceId}`;

/** Signed, as PostgreSQL's bigint. */
const keyOf = (key: Uint8Array, text: string): string => hmac(key, text).readBigInt64BE().toString();

/** The keys under which a device of these traits is filed. Without the workspace's secret they tell nothing. */
export const filingKeys = (workspaceId: string, traits: DeviceTraits): string[] =>
  blockingTexts(traits).map((text) => keyOf(deriveKey(purpose(workspaceId)), text));

/** The keys under which it may have been filed: those of older peppers too. */
export const searchKeys = (workspaceId: string, traits: DeviceTraits): string[] =>
  peppers().flatMap((pepper) =>
    blockingTexts(traits).map((text) => keyOf(deriveKey(purpose(workspaceId), pepper), text)),
  );

/** Equal for visits that show exactly the same, from one network. */
export const claimKeyOf = (workspaceId: string, traits: DeviceTraits): Uint8Array =>
  hmac(deriveKey(purpose(workspaceId)), "claim\n", JSON.stringify(Object.entries(traits).sort())).subarray(
    0,
    CLAIM_BYTES,
  );

/** A digest of the address's neighbourhood: profiles hold no addresses. */
export const networkDigest = (workspaceId: string, address: string | undefined): string =>
  address === undefined
    ? ""
    : hmac(deriveKey(purpose(workspaceId)), "network\n", addressPrefix(address))
        .subarray(0, NETWORK_BYTES)
        .toString("base64url");
