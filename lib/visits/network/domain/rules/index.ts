import type { NetworkRule } from "../rule";
import { addressMismatch } from "./address-mismatch";
import { challengeMoved } from "./challenge-moved";
import { clockElsewhere } from "./clock-elsewhere";
import { hostingNetwork } from "./hosting-network";
import { proxyMismatch } from "./proxy-mismatch";
import { proxyNetwork } from "./proxy-network";

/** Every rule about the network, by reason as the contract lists them, the most direct proof first. */
export const NETWORK_RULES: readonly NetworkRule[] = [
  proxyNetwork,
  proxyMismatch,
  hostingNetwork,
  addressMismatch,
  challengeMoved,
  clockElsewhere,
];
