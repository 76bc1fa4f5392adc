import type { Reason } from "@/lib/contract/report";
import type { Compared, Evidence, Finding, RuleMeta } from "@/lib/visits/risk/domain/evidence";

import type { IpConsistency } from "./compare-addresses";
import type { NetworkFacts, TypeSource } from "./network-facts";

/** The browser's clock compared with the clocks of the address's country. */
export type Clock = {
  /** Zone and offset as reported by the browser. */
  label: string;
  /** Minutes east of Greenwich at the time of the visit: of the named zone, and as counted by the browser. */
  offsetsMinutes: readonly number[];
  /** Offsets of all zones of the address's country at that time; empty if unknown. */
  countryOffsetsMinutes: readonly number[];
};

/** Input of the network rules. */
export type NetworkVisit = {
  /** Address of the submission. */
  observed: NetworkFacts;
  /** Address of the challenge request. */
  challenge?: NetworkFacts;
  /** Address seen by the probe. */
  alternate?: NetworkFacts;
  consistency: IpConsistency;
  /** Absent if the browser hides its zone or uses UTC, neither of which is suspicious. */
  clock?: Clock;
};

export type NetworkRule = RuleMeta & {
  reason: Extract<
    Reason,
    "PROXY_DETECTED" | "HOSTING_NETWORK_DETECTED" | "NETWORK_INCONSISTENT" | "LOCATION_INCONSISTENT"
  >;
  /** Pure. Must not throw. */
  check: (visit: NetworkVisit) => Finding | undefined;
};

export type NetworkEvidence = Evidence & {
  /** Rules whose findings were merged into this one. */
  mergedRules?: readonly string[];
};

/** A compared value that reveals where the visitor is. Empty if the value is undefined. */
export const place = (label: string, value: string | number | undefined, isOdd = false): Compared[] =>
  value === undefined ? [] : [{ label, value: String(value), isOdd, isPlace: true }];

export const fact = (label: string, value: string | undefined, isOdd = false): Compared[] =>
  value === undefined ? [] : [{ label, value, isOdd }];

/** Display names for the sources of a connection type. */
export const SOURCE_NAMES = {
  "operator-file": "the operator's own file",
  list: "a published list of addresses",
  "asn-table": "the table of known networks",
  name: "the name of the network's organisation",
} as const satisfies Record<TypeSource, string>;
