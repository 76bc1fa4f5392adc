import { expect, test } from "vitest";

import { CONNECTION_TYPES } from "@/lib/contract/report";
import type { NetworkFacts } from "./network-facts";
import { sharingOf } from "./sharing";
import { home, phone, server } from "./testing";

test.each<[string, NetworkFacts, string]>([
  ["a fixed line", home(), "home"],
  ["a phone", phone(), "shared"],
  ["a rented server", server(), "shared"],
  ["a relay's exit", server({ connectionType: "proxy", anonymity: "relay" }), "shared"],
  ["an exit of unknown type", server({ connectionType: "proxy" }), "shared"],
  ["a company's way into the internet", home({ connectionType: "corporate" }), "shared"],
  ["a fixed line behind carrier-grade NAT", home({ asn: 14593 }), "shared"],
  ["the IPv6 network of such a line", home({ asn: 14593, address: "2a0d:3340::1" }), "home"],
  ["a provider over the air", home({ evidence: ["name:residential:wireless"] }), "unknown"],
  ["a network of unknown kind", home({ connectionType: "unknown" }), "unknown"],
  ["no public address", { evidence: [] }, "unknown"],
])("%s is %s", (_name, facts, expected) => {
  expect(sharingOf(facts)).toBe(expected);
});

test("only a network of households is a home", () => {
  const homes = CONNECTION_TYPES.filter((connectionType) => sharingOf(home({ connectionType })) === "home");
  expect(homes).toEqual(["residential"]);
});
