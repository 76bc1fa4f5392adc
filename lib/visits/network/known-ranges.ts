import { parseAddressList, toRanges } from "./address-list";
import { type AddressWords, findRange, type Ranges } from "./ranges";

/**
 * Exits of privacy relays, for installations without the list: networks of content providers that are used only for
 * this. Their other networks have servers. Sources: Apple's egress-ip-ranges.csv, Cloudflare's local-ip-ranges.csv.
 */
const RELAY_RANGES = `
  104.28.0.0/16    # Cloudflare: iCloud Private Relay, WARP
  2606:54c0::/30   # Cloudflare: iCloud Private Relay
  2a09:bac0::/29   # Cloudflare: WARP
  172.224.0.0/15   # Akamai: iCloud Private Relay
  172.226.0.0/16   # Akamai: iCloud Private Relay
  2a02:26f7::/32   # Akamai: iCloud Private Relay
  2a04:4e41::/32   # Fastly: iCloud Private Relay
`;

let ranges: Ranges | undefined;

/** Whether an address is in a network that is only used for privacy relays. */
export function isKnownRelay(words: AddressWords): boolean {
  ranges ??= toRanges(parseAddressList(RELAY_RANGES).spans);
  return findRange(ranges, words) >= 0;
}
