import { describe, expect, it } from "vitest";
import { home, server } from "../testing";
import { proxyNetwork } from "./proxy-network";
import type { NetworkFacts } from "../network-facts";

const check = (changes: Partial<NetworkFacts>) =>
  proxyNetwork.check({ observed: server({ connectionType: "proxy", ...changes }), consistency: "UNKNOWN" });

describe("network.proxy-network", () => {
  it.each([
    ["tor", "list", "DECEPTIVE"],
    ["tor", "asn-table", "DECEPTIVE"],
    ["public_proxy", "operator-file", "DECEPTIVE"],
    ["residential_proxy", "operator-file", "SUSPICIOUS"],
    ["vpn", "list", "SUSPICIOUS"],
    ["vpn", "asn-table", "SUSPICIOUS"],
    ["relay", "list", "SUSPICIOUS"],
  ] as const)("an exit of the kind %s from %s is %s", (anonymity, typeSource, status) => {
    expect(check({ anonymity, typeSource })?.status).toBe(status);
  });

  it("never makes a verdict DECEPTIVE on the word of a name", () => {
    expect(check({ typeSource: "name" })?.status).toBe("SUSPICIOUS");
    expect(check({ typeSource: "name", anonymity: "tor" })?.status).toBe("SUSPICIOUS");
  });

  it("leaves homes and rented servers alone", () => {
    expect(proxyNetwork.check({ observed: home(), consistency: "UNKNOWN" })).toBeUndefined();
    expect(proxyNetwork.check({ observed: server(), consistency: "UNKNOWN" })).toBeUndefined();
  });
});
