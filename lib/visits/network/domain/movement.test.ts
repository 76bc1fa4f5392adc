import fc from "fast-check";
import { expect, test } from "vitest";

import { distanceKm, evaluateMovement, type Place } from "./movement";
import type { NetworkFacts } from "./network-facts";
import { home, phone, server } from "./testing";

const BERLIN = [52.52, 13.4] as const;
const HANOI = [21.03, 105.85] as const;
const PRAGUE = [50.08, 14.44] as const;

const at = (facts: NetworkFacts, ageSeconds: number, coordinates: readonly [number, number] = BERLIN): Place => ({
  facts,
  ageSeconds,
  coordinates,
});
const rules = (here: Place, ...earlier: Place[]) => evaluateMovement(here, earlier).map(({ ruleId }) => ruleId);

const german = home();
const vietnamese = home({ address: "14.160.1.1", countryCode: "VN", countryName: "Vietnam", asn: 45899 });
const czech = home({ address: "89.24.1.1", countryCode: "CZ", countryName: "Czechia", asn: 5610 });
const HOUR = 3600;

test("network.impossible-travel: is SUSPICIOUS if two homes are too far apart for the time between, and states the distance", () => {
  const [finding] = evaluateMovement(at(vietnamese, 0, HANOI), [at(german, 10 * 60)]);
  expect(finding).toMatchObject({ reason: "LOCATION_INCONSISTENT", status: "SUSPICIOUS" });
  expect(finding?.compared).toContainEqual({ label: "Time between", value: "10 minutes", isOdd: false });
  expect(finding?.compared).toContainEqual({
    label: "Distance",
    value: "about 8300 km",
    isOdd: false,
    isPlace: true,
  });
});

test("network.impossible-travel: leaves a flight and similar distances alone", () => {
  expect(rules(at(vietnamese, 0, HANOI), at(german, 11 * HOUR))).toEqual([]);
  expect(rules(at(vietnamese, 0, HANOI), at(german, 7 * HOUR))).toEqual(["network.impossible-travel"]);
});

test.each<[string, NetworkFacts, NetworkFacts]>([
  ["a phone that changes to its carrier abroad", german, phone({ countryCode: "VN" })],
  ["a phone that comes home", phone({ countryCode: "VN" }), german],
  ["a VPN that is switched on", german, server({ countryCode: "VN", anonymity: "vpn", connectionType: "proxy" })],
  ["a relay", german, server({ countryCode: "VN", anonymity: "relay", connectionType: "proxy" })],
  ["a known proxy in a home", german, home({ countryCode: "VN", anonymity: "residential_proxy", asn: 45899 })],
  ["a way through a company", german, home({ countryCode: "VN", connectionType: "corporate", asn: 45899 })],
  ["servers", german, server({ countryCode: "VN" })],
  ["a network of unknown kind", german, home({ countryCode: "VN", connectionType: "unknown", asn: 45899 })],
  ["two places of one country", german, home({ asn: 45899 })],
  ["a country that the sources do not agree on", german, home({ countryCode: "VN", countryAgrees: false })],
  ["the two families of addresses of a household", german, home({ address: "2003:c0::1", countryCode: "VN" })],
])("network.impossible-travel: leaves %s alone", (_name, from, to) => {
  expect(rules(at(to, 0, HANOI), at(from, 60))).toEqual([]);
});

test("network.impossible-travel: leaves a phone abroad alone that alternates between a local line and its home carrier, but not one in three countries", () => {
  const american = home({ address: "73.1.1.1", countryCode: "US", asn: 7922 });
  const ofPhone = (...earlier: Place[]) => evaluateMovement(at(vietnamese, 0, HANOI), earlier, true);
  expect(ofPhone(at(german, 60), at(vietnamese, 120, HANOI), at(german, 180))).toEqual([]);
  expect(ofPhone(at(german, 600), at(american, 1_200, [40.7, -74]))).toHaveLength(1);
});

test("network.impossible-travel: leaves neighbouring countries and places without coordinates alone", () => {
  expect(rules(at(czech, 0, PRAGUE), at(german, 60))).toEqual([]);
  expect(rules({ facts: vietnamese, ageSeconds: 0 }, at(german, 60))).toEqual([]);
});

const french = home({ address: "90.1.1.1", asn: 3215, countryCode: "FR" });

test("network.token-spread: is SUSPICIOUS for three fixed lines of different providers within two minutes", () => {
  const [finding] = evaluateMovement(at(french, 0), [at(czech, 30), at(german, 60)]);
  expect(finding).toMatchObject({
    ruleId: "network.token-spread",
    reason: "NETWORK_INCONSISTENT",
    status: "SUSPICIOUS",
  });
  expect(finding?.compared).toContainEqual(expect.objectContaining({ value: "AS3215, AS5610, AS3320", isPlace: true }));
});

test.each<[string, Place[]]>([
  ["one switch", [at(german, 5)]],
  ["three lines, one of them earlier", [at(german, 5), at(french, 121)]],
  [
    "addresses of one provider that change",
    [at(home({ address: "87.129.1.1" }), 5), at(home({ address: "91.1.1.1" }), 9)],
  ],
  ["a phone beside it", [at(german, 5), at(phone(), 9)]],
  ["a VPN that is switched on", [at(german, 5), at(server({ anonymity: "vpn", connectionType: "proxy" }), 9)]],
  ["both families of a household", [at(german, 5), at(home({ address: "2003:c0::1", asn: 64500 }), 9)]],
])("network.token-spread: leaves %s alone", (_name, earlier) => {
  expect(rules(at(czech, 0, PRAGUE), ...earlier)).toEqual([]);
});

const homes = (...networks: string[]) => networks.map((network) => at(home({ address: `${network}.7` }), 20));

test("network.token-spread: is SUSPICIOUS for four homes of one provider within two minutes", () => {
  const [here, ...earlier] = homes("87.128.1", "87.129.1", "87.130.1", "91.1.1");
  const [finding] = evaluateMovement(here ?? at(german, 0), earlier);
  expect(finding).toMatchObject({ ruleId: "network.token-spread", status: "SUSPICIOUS" });
  expect(finding?.compared.map(({ value }) => value)).toEqual([
    "87.128.1.0/24",
    "87.128.1.0/24, 87.129.1.0/24, 87.130.1.0/24, 91.1.1.0/24",
  ]);
});

test.each<[string, Place[]]>([
  ["a line that reconnects twice", homes("87.129.1", "87.130.1")],
  ["a line that was elsewhere earlier", [...homes("87.129.1", "87.130.1"), at(home({ address: "91.1.1.7" }), 121)]],
  [
    "a provider that lets a subscriber out through several addresses of one network",
    [...homes("87.129.1"), ...["8", "9", "10"].map((last) => at(home({ address: `87.129.1.${last}` }), 30))],
  ],
  [
    "lines of a provider whose subscribers share addresses",
    ["1", "2", "3", "4"].map((third) => at(home({ address: `98.97.${third}.7`, asn: 14593 }), 30)),
  ],
  ["a phone", ["1", "2", "3", "4"].map((third) => at(phone({ address: `172.58.${third}.7` }), 30))],
  [
    "a relay",
    ["1", "2", "3", "4"].map((third) =>
      at(home({ address: `104.28.${third}.7`, anonymity: "relay", connectionType: "proxy" }), 30),
    ),
  ],
  [
    "an address that a home's IPv6 network changes daily",
    ["1", "2", "3", "4"].map((last) => at(home({ address: `2003:c0::${last}` }), 30)),
  ],
])("network.token-spread: leaves %s alone at home", (_name, earlier) => {
  expect(rules(at(german, 0), ...earlier)).toEqual([]);
});

test("network.token-spread: counts prefixes if networks are unknown", () => {
  const unknown = (address: string) => at({ address, connectionType: "unknown", evidence: [] }, 1);
  expect(rules(unknown("60.1.1.1"), unknown("60.1.200.1"), unknown("60.1.3.1"))).toEqual([]);
  expect(rules(unknown("60.1.1.1"), unknown("61.1.1.1"), unknown("62.1.3.1"))).toEqual(["network.token-spread"]);
});

const anyPlace: fc.Arbitrary<Place> = fc.record({
  facts: fc.constantFrom(german, vietnamese, czech, phone(), server(), { evidence: [] }),
  ageSeconds: fc.integer({ min: 0, max: 50_000 }),
  coordinates: fc.constantFrom(BERLIN, HANOI, PRAGUE),
});

test("evaluateMovement: makes at most one finding, and none for a browser that stays", () => {
  fc.assert(
    fc.property(fc.array(anyPlace, { maxLength: 8 }), anyPlace, (earlier, here) => {
      expect(evaluateMovement({ ...here, ageSeconds: 0 }, earlier).length).toBeLessThanOrEqual(1);
      expect(
        evaluateMovement(
          { ...here, ageSeconds: 0 },
          earlier.map(({ ageSeconds }) => ({ ...here, ageSeconds })),
        ),
      ).toEqual([]);
    }),
  );
});

test("evaluateMovement: computes great-circle distances", () => {
  expect(distanceKm(BERLIN, PRAGUE)).toBeCloseTo(280, -1);
  expect(distanceKm([0, 0], [0, 180])).toBeCloseTo(20_015, -1);
  expect(distanceKm(BERLIN, BERLIN)).toBe(0);
});
