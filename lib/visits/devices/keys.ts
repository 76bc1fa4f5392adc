import { rateLimitKey } from "@/lib/platform/addresses";
import { deriveKey, hmac } from "@/lib/platform/secrets";

const purpose = (workspaceId: string) => `device keys ${workspaceId}`;

/** Signed, as PostgreSQL's bigint. */
const keyOf = (key: Uint8Array, text: string): string => hmac(key, text).readBigInt64BE().toString();

/**
 * What the network and the model of a visit are stored as: the address of one subscriber, and what its browser tells of
 * the machine. Without the workspace's secret they tell nothing; a change of `KEY_PEPPER` begins them again.
 */
export function placeKeys(workspaceId: string, address: string, model: string) {
  const key = deriveKey(purpose(workspaceId));
  return { network: keyOf(key, `network\n${rateLimitKey(address)}`), model: keyOf(key, `model\n${model}`) };
}
