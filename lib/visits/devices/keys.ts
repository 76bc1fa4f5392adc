import { rateLimitKey } from "@/lib/platform/addresses";
import { deriveKey, hmac } from "@/lib/platform/secrets";

const purpose = (workspaceId: string) => `device keys ${workspaceId}`;

/** Signed, like PostgreSQL's bigint. */
const keyOf = (key: Uint8Array, text: string): string => hmac(key, text).readBigInt64BE().toString();

/**
 * Keyed hashes under which a visit's network and model are stored: one subscriber's address, and what the browser
 * reports of its machine. They reveal nothing without the workspace's secret. Changing `KEY_PEPPER` starts them afresh.
 */
export function placeKeys(workspaceId: string, address: string, model: string) {
  const key = deriveKey(purpose(workspaceId));
  return { network: keyOf(key, `network\n${rateLimitKey(address)}`), model: keyOf(key, `model\n${model}`) };
}
