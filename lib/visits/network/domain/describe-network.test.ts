import { expect, test } from "vitest";
import { describeNetwork } from "./describe-network";
import type { NetworkFacts } from "./network-facts";

const described = (facts: Partial<NetworkFacts>) =>
  describeNetwork({ observed: { evidence: [], ...facts }, consistency: "UNKNOWN" });

test("describeNetwork: omits unknown values instead of making them null or empty", () => {
  const text = JSON.stringify(described({ address: "203.0.113.9", connectionType: "unknown", evidence: ["name:x"] }));
  expect(text).toBe('{"observed_ip":"203.0.113.9","ip_consistency":"UNKNOWN","connection_type":"unknown"}');
  expect(described({})).toEqual({ ip_consistency: "UNKNOWN" });
});

test("describeNetwork: has a location with exactly the known members", () => {
  expect(described({ countryCode: "DE", countryName: "Germany" })).toMatchObject({
    country_code: "DE",
    location: { country_name: "Germany" },
  });
  expect(described({ countryCode: "DE" })).not.toHaveProperty("location");
});

test("describeNetwork: keeps the AS number 0", () => {
  expect(described({ asn: 0 })).toMatchObject({ asn: 0 });
});

test("describeNetwork: includes neither evidence nor the comparison of sources", () => {
  expect(described({ countryAgrees: false, typeSource: "name", evidence: ["country:differs"] })).toEqual({
    ip_consistency: "UNKNOWN",
  });
});

test("describeNetwork: has the probed address next to the observed one", () => {
  const observed: NetworkFacts = { address: "203.0.113.9", connectionType: "residential", evidence: [] };
  const alternate = { address: "198.51.100.7", evidence: [] };
  expect(describeNetwork({ observed, alternate, consistency: "MISMATCH" })).toMatchObject({
    observed_ip: "203.0.113.9",
    alternate_ip: "198.51.100.7",
    ip_consistency: "MISMATCH",
    proxy_detected: false,
  });
});
