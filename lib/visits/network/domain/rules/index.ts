import type { NetworkRule } from "../rule";
import { addressMismatch } from "./address-mismatch";
import { challengeMoved } from "./challenge-moved";
import { clockElsewhere } from "./clock-elsewhere";
import { hostingNetwork } from "./hosting-network";
import { proxyMismatch } from "./proxy-mismatch";
import { proxyNetwork } from "./proxy-network";

/** All network rules, by reason in the contract's order and then by strength of proof. */
export const NETWORK_RULES: readonly NetworkRule[] = [
  proxyNetwork,
  proxyMismatch,
  hostingNetwork,
  addressMismatch,
  challengeMoved,
  clockElsewhere,
];
