import fc from "fast-check";

import { CONNECTION_TYPES } from "@/lib/contract/report";

import type { IpConsistency } from "./compare-addresses";
import { ANONYMITIES, type NetworkFacts } from "./network-facts";
import type { Clock, NetworkVisit } from "./rule";

/** Undefined removes a fact. */
type Changes = { [Name in keyof NetworkFacts]?: NetworkFacts[Name] | undefined };

const withChanges = (facts: NetworkFacts, changes: Changes): NetworkFacts =>
  Object.fromEntries(
    Object.entries({ ...facts, ...changes }).filter(([, value]) => value !== undefined),
  ) as NetworkFacts;

const HOME: NetworkFacts = {
  address: "87.128.14.20",
  countryCode: "DE",
  countryAgrees: true,
  countryName: "Germany",
  provider: "Deutsche Telekom AG",
  asn: 3320,
  connectionType: "residential",
  typeSource: "asn-table",
  evidence: [],
};

/** A home in Germany, with `changes`. */
export const home = (changes: Changes = {}): NetworkFacts => withChanges(HOME, changes);

/** A rented server in Germany, with `changes`. */
export const server = (changes: Changes = {}): NetworkFacts =>
  home({
    address: "88.198.50.10",
    provider: "Hetzner Online GmbH",
    asn: 24940,
    connectionType: "hosting",
    ...changes,
  });

/** A phone in the United States, with `changes`. */
export const phone = (changes: Changes = {}): NetworkFacts =>
  home({
    address: "172.58.10.20",
    countryCode: "US",
    countryName: "United States",
    provider: "T-Mobile USA, Inc.",
    asn: 21928,
    connectionType: "mobile",
    ...changes,
  });

const anyFacts: fc.Arbitrary<NetworkFacts> = fc
  .record(
    {
      address: fc.constantFrom("87.128.14.20", "88.198.50.10", "2003:c0::1", "2003:c0::2", "2a01:4f8::1"),
      countryCode: fc.constantFrom("DE", "US", "AQ"),
      countryAgrees: fc.boolean(),
      asn: fc.constantFrom(0, 3320, 24940),
      connectionType: fc.constantFrom(...CONNECTION_TYPES),
      typeSource: fc.constantFrom("operator-file" as const, "list" as const, "asn-table" as const, "name" as const),
      anonymity: fc.constantFrom(...ANONYMITIES),
    },
    { requiredKeys: [] },
  )
  .map((facts) => ({ ...facts, evidence: [] }));

const anyOffsets = fc.array(fc.integer({ min: -840, max: 840 }), { maxLength: 3 });
const anyClock: fc.Arbitrary<Clock> = fc.record({
  label: fc.string(),
  offsetsMinutes: anyOffsets,
  countryOffsetsMinutes: anyOffsets,
});

/** Any facts about a visit's network, most of them nonsensical. */
export const anyNetworkVisit: fc.Arbitrary<NetworkVisit> = fc
  .record(
    {
      observed: anyFacts,
      challenge: anyFacts,
      alternate: anyFacts,
      clock: anyClock,
      consistency: fc.constantFrom<IpConsistency>("MATCH", "MISMATCH", "UNKNOWN"),
    },
    { requiredKeys: ["observed", "consistency"] },
  )
  .map((visit) =>
    // Addresses are only compared if both are known.
    visit.observed.address && visit.alternate?.address ? visit : { ...visit, consistency: "UNKNOWN" },
  );
