import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeJourney, mergeJourneyAgain } from "./journey";
import { evaluateNetwork } from "./evaluate-network";
import type { Clock, NetworkVisit } from "./rule";
import { anyNetworkVisit, home, phone, server } from "./testing";

/** The clock of another country. */
const ELSEWHERE: Clock = { label: "Asia/Tokyo (UTC+09:00)", offsetsMinutes: [540], countryOffsetsMinutes: [60] };
const CAFE = home({ address: "91.10.1.1", asn: 3209, provider: "Vodafone" });

const found = (visit: Partial<NetworkVisit>, observedRules: string[] = []) =>
  evaluateNetwork({ observed: home(), consistency: "UNKNOWN", ...visit }, observedRules).map(
    ({ ruleId, reason, status }) => [ruleId, reason, status],
  );

test("findings explained by one journey are merged: a traveller who changes networks with the clock still set to home", () => {
  expect(found({ challenge: CAFE, clock: ELSEWHERE })).toEqual([
    ["network.on-the-way", "LOCATION_INCONSISTENT", "SUSPICIOUS"],
  ]);
});

test("findings explained by one journey are merged: the same with two simultaneous lines", () => {
  expect(found({ challenge: CAFE, alternate: CAFE, consistency: "MISMATCH", clock: ELSEWHERE })).toEqual([
    ["network.on-the-way", "LOCATION_INCONSISTENT", "SUSPICIOUS"],
  ]);
  expect(found({ challenge: CAFE, alternate: CAFE, consistency: "MISMATCH" })).toEqual([
    ["network.on-the-way", "NETWORK_INCONSISTENT", "SUSPICIOUS"],
  ]);
});

test("findings explained by one journey are merged: a VPN, relay or proxy switched on during the visit", () => {
  for (const anonymity of ["vpn", "residential_proxy", undefined] as const) {
    const exit = server({ connectionType: "proxy", anonymity, typeSource: "list" });
    expect(found({ observed: exit, challenge: home() })).toEqual([
      ["network.proxy-network", "PROXY_DETECTED", "SUSPICIOUS"],
    ]);
  }
});

test("findings that a journey does not explain stay: a single sign keeps its own rule", () => {
  expect(found({ clock: ELSEWHERE })).toEqual([["network.clock-elsewhere", "LOCATION_INCONSISTENT", "SUSPICIOUS"]]);
  expect(found({ challenge: CAFE })).toEqual([["network.challenge-moved", "NETWORK_INCONSISTENT", "SUSPICIOUS"]]);
});

test("findings that a journey does not explain stay: a page through known servers before a home stays DECEPTIVE despite any journey", () => {
  const statuses = found({ observed: server(), challenge: home(), alternate: phone(), consistency: "MISMATCH" });
  expect(statuses).toContainEqual(["network.address-mismatch", "NETWORK_INCONSISTENT", "DECEPTIVE"]);
  expect(statuses).toContainEqual(["network.proxy-mismatch", "PROXY_DETECTED", "DECEPTIVE"]);
});

test("findings that a journey does not explain stay: for any facts, the worst status stays, no finding is invented, and no compared value is lost", () => {
  fc.assert(
    fc.property(anyNetworkVisit, (visit) => {
      const findings = evaluateNetwork(visit);
      expect(mergeJourney(findings, [])).toEqual(findings);
      const journeys = findings.filter(({ ruleId }) => ruleId === "network.on-the-way");
      expect(journeys.length).toBeLessThanOrEqual(1);
      for (const { compared } of journeys) {
        expect(new Set(compared.map(({ label }) => label)).size).toBe(compared.length);
        expect(compared.length).toBeGreaterThan(2);
      }
    }),
  );
});

const PARTS = ["network.address-mismatch", "network.challenge-moved", "network.clock-elsewhere"];

test("an observed rule has no part in a journey: the others decide as if it had not fired", () => {
  const visit = { challenge: CAFE, alternate: CAFE, consistency: "MISMATCH" as const, clock: ELSEWHERE };
  expect(found(visit, ["network.clock-elsewhere"])).toEqual([
    ["network.on-the-way", "NETWORK_INCONSISTENT", "SUSPICIOUS"],
    ["network.clock-elsewhere", "LOCATION_INCONSISTENT", "SUSPICIOUS"],
  ]);
  expect(found({ challenge: CAFE, clock: ELSEWHERE }, ["network.challenge-moved"])).toEqual([
    ["network.challenge-moved", "NETWORK_INCONSISTENT", "SUSPICIOUS"],
    ["network.clock-elsewhere", "LOCATION_INCONSISTENT", "SUSPICIOUS"],
  ]);
});

test("stored findings that are merged again equal those of a visit for which the same rules were observed", () => {
  const verdictOf = (findings: ReturnType<typeof evaluateNetwork>) =>
    findings.map(({ ruleId, reason, status }) => [ruleId, reason, status]);
  fc.assert(
    fc.property(anyNetworkVisit, fc.subarray(PARTS), (visit, observed) => {
      const stored = evaluateNetwork(visit);
      expect(verdictOf(mergeJourneyAgain(stored, observed))).toEqual(verdictOf(evaluateNetwork(visit, observed)));
      expect(mergeJourneyAgain(stored, [])).toEqual(stored);
    }),
  );
});
