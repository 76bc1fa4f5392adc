export {
  addressPrefix,
  canonicalAddress,
  ipv4Word,
  isIpv6,
  isPublicAddress,
  isPublicCanonical,
  rateLimitKey,
} from "./address";
export { type AddressRange, parseAddressRange } from "./address-range";
export { addressFromPlatformHeader, clientAddress, compileAddressTrust, isFromThisMachine } from "./client-address";
export { stripForwardingHeaders } from "./forwarding-headers";
