import { expect, test } from "vitest";
import { classify } from "./classify";
import type { NetworkData } from "./network-data";

const newCache = (): NetworkData["classByAsn"] => new Map();

test("classify: prefers the table of networks to a misleading name", () => {
  expect(classify(newCache(), { asn: 39351, name: "31173 Services AB" })).toEqual({
    type: "proxy",
    source: "asn-table",
    anonymity: "vpn",
  });
  expect(classify(newCache(), { asn: 2914, name: "NTT America, Inc." })).toEqual({
    type: "unknown",
    source: "asn-table",
  });
});

test("classify: marks conclusions from a name alone", () => {
  const classified = classify(newCache(), { asn: 64496, name: "Example VPN Ltd" });
  expect(classified).toEqual({ type: "proxy", source: "name", term: "vpn", anonymity: "vpn" });
  const forHire = classify(newCache(), { asn: 64498, name: "Example Residential Proxies" });
  expect(forHire).toEqual({ type: "proxy", source: "name", term: "residential proxies" });
});

test("classify: classifies each network once", () => {
  const cache = newCache();
  const first = classify(cache, { asn: 64496, name: "Example Hosting" });
  expect(classify(cache, { asn: 64496, name: "Example Hosting" })).toBe(first);
  expect(classify(cache, { asn: 64497, name: "Example Telecom" }).type).toBe("residential");
  expect([...cache.keys()]).toEqual([64496, 64497]);
});
