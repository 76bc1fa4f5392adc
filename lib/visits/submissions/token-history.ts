import type { Values } from "@/db/prepared";
import { uuidToId } from "@/lib/contract/ids";
import type { KnownToken } from "@/lib/visits/devices";
import { addressPrefix } from "@/lib/platform/addresses";
import { networkName } from "@/lib/visits/repeats";

type TokenColumns = {
  token_use: (Omit<KnownToken, "places"> & { places: KnownToken["places"] | null }) | null;
  token_networks: string[] | null;
};

/** Parses the token columns of a statement. The device's places are limited to networks where this token was seen. */
export function tokenHistory(workspaceId: string, columns: Values): KnownToken | undefined {
  const { token_use: use, token_networks: networks } = columns as TokenColumns; // the statement's own columns
  if (use === null) return undefined;
  const names = new Set(networks);
  const isOfToken = ({ address }: { address: string }) => names.has(networkName(workspaceId, addressPrefix(address)));
  return { ...use, deviceId: uuidToId("device", use.deviceId), places: (use.places ?? []).filter(isOfToken) };
}
