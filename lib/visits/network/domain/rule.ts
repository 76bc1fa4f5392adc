import type { Reason } from "@/lib/contract/report";

import type { IpConsistency } from "./compare-addresses";
import type { NetworkFacts, TypeSource } from "./network-facts";

/** One of the facts that a rule compared; `isPlace`: only for members who may see addresses. */
type Compared = { label: string; value: string; isOdd: boolean; isPlace?: boolean };

type Finding = {
  status: "SUSPICIOUS" | "DECEPTIVE";
  explanation: string;
  compared: Compared[];
  /** Those of this very finding, where the rule's own would not all be true of it. */
  harmlessCauses?: readonly string[];
};

/** The clock of the visitor's browser, compared with the clocks of the country that the address lies in. */
export type Clock = {
  /** Zone and offset as the browser states them. */
  label: string;
  /** Minutes east of Greenwich at the time of the visit: of the named zone, and as the browser counts. */
  offsetsMinutes: readonly number[];
  /** Offsets of all zones of the address's country at the same time; empty when they are not known. */
  countryOffsetsMinutes: readonly number[];
};

/** What the rules about the network may look at. */
export type NetworkVisit = {
  /** The address that the submission came from. */
  observed: NetworkFacts;
  /** The address that asked for the challenge. */
  challenge?: NetworkFacts;
  /** The address that the probe saw. */
  alternate?: NetworkFacts;
  consistency: IpConsistency;
  /** Absent when the browser hides its zone or keeps UTC, which is nobody's fault. */
  clock?: Clock;
};

export type NetworkRule = {
  /** Stable: stored with every visit. A rule that changes its meaning gets a new id. */
  id: string;
  reason: Extract<
    Reason,
    "PROXY_DETECTED" | "HOSTING_NETWORK_DETECTED" | "NETWORK_INCONSISTENT" | "LOCATION_INCONSISTENT"
  >;
  source: string;
  harmlessCauses: readonly string[];
  /** Pure, and never throws. */
  check: (visit: NetworkVisit) => Finding | undefined;
};

/** The evidence of a finding, of the same shape as that of the rules about the browser. */
export type NetworkEvidence = Omit<Finding, "harmlessCauses"> &
  Pick<NetworkRule, "reason" | "harmlessCauses" | "source"> & { ruleId: string };

/** A compared value that tells where the visitor is; absent when the value is. */
export const place = (label: string, value: string | number | undefined, isOdd = false): Compared[] =>
  value === undefined ? [] : [{ label, value: String(value), isOdd, isPlace: true }];

export const fact = (label: string, value: string | undefined, isOdd = false): Compared[] =>
  value === undefined ? [] : [{ label, value, isOdd }];

/** Sources of a connection type, as people are told of them. */
export const SOURCE_NAMES = {
  "operator-file": "the operator's own file",
  list: "a published list of addresses",
  "asn-table": "the table of known networks",
  name: "the name of the network's organisation",
} as const satisfies Record<TypeSource, string>;
