import { expect, test } from "vitest";
import { home, phone, server } from "../testing";
import { addressMismatch } from "./address-mismatch";

test("network.address-mismatch: is DECEPTIVE behind a known server network and SUSPICIOUS otherwise", () => {
  const status = (observed = home()) =>
    addressMismatch.check({ observed, alternate: phone(), consistency: "MISMATCH" })?.status;
  expect(status(server())).toBe("DECEPTIVE");
  expect(status(server({ typeSource: "name" }))).toBe("SUSPICIOUS");
  expect(status()).toBe("SUSPICIOUS");
});

test("network.address-mismatch: leaves a match, an unknown comparison and a visit without a probe alone", () => {
  for (const consistency of ["MATCH", "UNKNOWN"] as const) {
    expect(addressMismatch.check({ observed: server(), alternate: home(), consistency })).toBeUndefined();
  }
  expect(addressMismatch.check({ observed: server(), consistency: "UNKNOWN" })).toBeUndefined();
});
