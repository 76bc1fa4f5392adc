import type { Values } from "@/db/prepared";
import { type KnownToken, knownToken } from "@/lib/visits/devices";
import { addressPrefix } from "@/lib/platform/addresses";
import { networkName } from "@/lib/visits/repeats";

/** What the columns of a visit's token say: the device's places only as far as this token was there. */
export function tokenHistory(workspaceId: string, columns: Values): KnownToken | undefined {
  const token = knownToken(columns["token_use"]);
  if (token === undefined) return undefined;
  const names = new Set((columns["token_networks"] ?? []) as string[]); // the column's own values
  const isOfToken = ({ address }: { address: string }) => names.has(networkName(workspaceId, addressPrefix(address)));
  return { ...token, places: token.places.filter(isOfToken) };
}
