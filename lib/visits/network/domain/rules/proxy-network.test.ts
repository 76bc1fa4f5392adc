import { expect, test } from "vitest";
import { home, server } from "../testing";
import { proxyNetwork } from "./proxy-network";
import type { NetworkFacts } from "../network-facts";

const check = (changes: Partial<NetworkFacts>) =>
  proxyNetwork.check({ observed: server({ connectionType: "proxy", ...changes }), consistency: "UNKNOWN" });

test.each([
  ["tor", "list", "DECEPTIVE"],
  ["tor", "asn-table", "DECEPTIVE"],
  ["public_proxy", "operator-file", "DECEPTIVE"],
  ["residential_proxy", "operator-file", "SUSPICIOUS"],
  ["vpn", "list", "SUSPICIOUS"],
  ["vpn", "asn-table", "SUSPICIOUS"],
  ["relay", "list", "SUSPICIOUS"],
] as const)("network.proxy-network: an exit of type %s from %s is %s", (anonymity, typeSource, status) => {
  expect(check({ anonymity, typeSource })?.status).toBe(status);
});

test("network.proxy-network: never makes a verdict DECEPTIVE by name alone", () => {
  expect(check({ typeSource: "name" })?.status).toBe("SUSPICIOUS");
  expect(check({ typeSource: "name", anonymity: "tor" })?.status).toBe("SUSPICIOUS");
});

test("network.proxy-network: states for each kind of exit what is seen, what is expected and its own harmless causes", () => {
  const found = ([undefined, "tor", "public_proxy", "residential_proxy", "vpn", "relay"] as const).map((anonymity) =>
    check({ ...(anonymity && { anonymity }), typeSource: "list" }),
  );
  expect(new Set(found.map((finding) => finding?.explanation)).size).toBe(found.length);
  for (const finding of found) {
    expect(finding?.compared.slice(0, 2).map(({ label, isOdd }) => [label, isOdd])).toEqual([
      ["Connection", true],
      ["Expected of a visitor", false],
    ]);
    const causes = finding?.harmlessCauses?.join(" ") ?? "";
    expect(causes).not.toBe("");
    expect(causes.includes("iCloud Private Relay")).toBe(finding?.explanation.includes("privacy relay"));
    expect(causes.includes("Tor Browser")).toBe(finding?.explanation.includes("Tor network"));
  }
});

test("network.proxy-network: leaves homes and rented servers alone", () => {
  expect(proxyNetwork.check({ observed: home(), consistency: "UNKNOWN" })).toBeUndefined();
  expect(proxyNetwork.check({ observed: server(), consistency: "UNKNOWN" })).toBeUndefined();
});
