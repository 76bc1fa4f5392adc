import { canonicalAddress, isPublicCanonical } from "@/lib/platform/addresses";
import { classifyAddress } from "./classify-address";
import { type Sharing, sharingOf } from "./domain/sharing";
import type { NetworkData } from "./network-data";
import { openedNetworkData } from "./open-network-data";
import { addressWords } from "./ranges";

export function sharingIn(data: NetworkData | undefined, address: string | undefined): Sharing {
  const canonical = address === undefined ? undefined : canonicalAddress(address);
  if (data === undefined || canonical === undefined || !isPublicCanonical(canonical)) return "unknown";
  return sharingOf({ ...classifyAddress(data, canonical, addressWords(canonical)), address: canonical });
}

/**
 * Whether one household stands behind an address, or many devices that have nothing to do with each other: phones of a
 * carrier, a company, servers, a VPN, Tor, a relay. By the data of this process, without asking anybody.
 */
export const sharing = (address: string | undefined): Sharing => sharingIn(openedNetworkData(), address);
