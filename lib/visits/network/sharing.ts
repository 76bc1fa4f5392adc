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
 * Whether an address belongs to one household or is shared by many unrelated devices: phones of a carrier, a company,
 * servers, a VPN, Tor or a relay. Uses only the data of this process.
 */
export const sharing = (address: string | undefined): Sharing => sharingIn(openedNetworkData(), address);
