import { expect, test } from "vitest";
import { home, phone, server } from "../testing";
import { proxyMismatch } from "./proxy-mismatch";

test("network.proxy-mismatch: is DECEPTIVE for a known server network before another network", () => {
  expect(proxyMismatch.check({ observed: server(), alternate: home(), consistency: "MISMATCH" })?.status).toBe(
    "DECEPTIVE",
  );
});

test("network.proxy-mismatch: is SUSPICIOUS for another country, and for servers known only by name", () => {
  const abroad = { observed: home(), alternate: phone(), consistency: "MISMATCH" } as const;
  expect(proxyMismatch.check(abroad)?.status).toBe("SUSPICIOUS");
  const named = { observed: server({ typeSource: "name" }), alternate: home(), consistency: "MISMATCH" } as const;
  expect(proxyMismatch.check(named)?.status).toBe("SUSPICIOUS");
});

test("network.proxy-mismatch: leaves a company's gateway in the same country and a matching probe alone", () => {
  const gateway = home({ address: "165.225.1.1", asn: 53813, connectionType: "corporate" });
  expect(proxyMismatch.check({ observed: gateway, alternate: home(), consistency: "MISMATCH" })).toBeUndefined();
  expect(proxyMismatch.check({ observed: server(), alternate: server(), consistency: "MATCH" })).toBeUndefined();
  expect(proxyMismatch.check({ observed: server(), consistency: "UNKNOWN" })).toBeUndefined();
});
