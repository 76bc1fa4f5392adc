import fc from "fast-check";
import { expect, test } from "vitest";
import { compareAddresses, detectProxy, isProvenDisguise } from "./compare-addresses";
import type { NetworkFacts } from "./network-facts";
import { anyNetworkVisit, home, phone, server } from "./testing";

const v6 = (address: string, changes: Parameters<typeof home>[0] = {}) => home({ address, ...changes });

test.each<[string, NetworkFacts, NetworkFacts | undefined, string]>([
  ["the same IPv4 address", home(), home(), "MATCH"],
  ["two IPv6 addresses of one /64", v6("2003:c0:8f00::1"), v6("2003:c0:8f00:0:ffff::2"), "MATCH"],
  ["two IPv6 networks", v6("2003:c0:8f00::1"), v6("2003:c0:8f00:1::1"), "MISMATCH"],
  ["both families of one network", home(), v6("2003:c0::1"), "MATCH"],
  ["both families of different networks", home(), v6("2a01:4f8::1", { asn: 24940 }), "UNKNOWN"],
  ["both families, network unknown", home({ asn: undefined }), v6("2003:c0::1", { asn: undefined }), "UNKNOWN"],
  ["two addresses of one mobile network", phone(), phone({ address: "172.58.99.99" }), "UNKNOWN"],
  ["a mobile network and another one", phone(), home(), "MISMATCH"],
  ["two addresses of one home network", home(), home({ address: "87.128.99.99" }), "MISMATCH"],
  ["a server and a home", server(), home(), "MISMATCH"],
  ["a relay and a home", server({ connectionType: "proxy", anonymity: "relay" }), home(), "UNKNOWN"],
  ["no probed address", home(), undefined, "UNKNOWN"],
  ["no public address", { evidence: [] }, home(), "UNKNOWN"],
])("compareAddresses: %s: %#", (_name, observed, alternate, expected) => {
  expect(compareAddresses(observed, alternate)).toBe(expected);
});

test("compareAddresses: finds an address consistent with itself, whatever is known about it", () => {
  fc.assert(
    fc.property(anyNetworkVisit, ({ observed }) => {
      expect(compareAddresses(observed, observed)).toBe(observed.address === undefined ? "UNKNOWN" : "MATCH");
    }),
  );
});

test.each<[string, NetworkFacts, NetworkFacts | undefined, boolean | undefined]>([
  ["a home alone", home(), undefined, false],
  ["a listed exit alone", server({ connectionType: "proxy", anonymity: "vpn" }), undefined, true],
  ["a server before a home", server(), home(), true],
  ["a home before a home of another country", home(), phone({ connectionType: "residential" }), true],
  ["a company's gateway before a home of the same country", server({ connectionType: "corporate" }), home(), false],
  ["two addresses of one network of servers", server(), server({ address: "88.198.9.9" }), false],
  ["a server before a network that is not known", server(), home({ asn: undefined }), false],
  ["a network of unknown kind", home({ connectionType: "unknown" }), undefined, undefined],
  ["a network of unknown kind that the probe confirms", home({ connectionType: "unknown" }), home(), false],
  ["no public address", { evidence: [] }, undefined, undefined],
])("detectProxy: %s: %#", (_name, observed, alternate, expected) => {
  expect(detectProxy(observed, alternate, compareAddresses(observed, alternate))).toBe(expected);
});

test("only a known server network before another network is a proven disguise, never one by name", () => {
  expect(isProvenDisguise(server(), home(), "MISMATCH")).toBe(true);
  expect(isProvenDisguise(server({ typeSource: "name" }), home(), "MISMATCH")).toBe(false);
  expect(isProvenDisguise(home(), phone(), "MISMATCH")).toBe(false);
});
