import { describe, expect, it } from "vitest";
import { describeNetwork } from "./describe-network";

describe("describeNetwork", () => {
  it("omits what is not known instead of naming it null or empty", () => {
    const described = describeNetwork({ address: "203.0.113.9", connectionType: "unknown", evidence: ["name:x"] });
    expect(JSON.stringify(described)).toBe('{"observed_ip":"203.0.113.9","connection_type":"unknown"}');
    expect(describeNetwork({ evidence: [] })).toEqual({});
  });

  it("has a location with exactly the members that are known", () => {
    expect(describeNetwork({ countryCode: "DE", countryName: "Germany", evidence: [] })).toEqual({
      country_code: "DE",
      location: { country_name: "Germany" },
    });
    expect(describeNetwork({ countryCode: "DE", evidence: [] })).toEqual({ country_code: "DE" });
  });

  it("keeps the AS number 0", () => {
    expect(describeNetwork({ asn: 0, evidence: [] })).toEqual({ asn: 0 });
  });

  it("shows neither evidence nor the comparison of sources", () => {
    expect(describeNetwork({ countryAgrees: false, evidence: ["country:differs"] })).toEqual({});
  });
});
