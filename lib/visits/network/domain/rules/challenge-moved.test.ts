import { expect, test } from "vitest";
import { home, phone, server } from "../testing";
import { challengeMoved } from "./challenge-moved";
import type { NetworkFacts } from "../network-facts";

const check = (challenge: NetworkFacts | undefined, observed: NetworkFacts) =>
  challengeMoved.check({ observed, ...(challenge && { challenge }), consistency: "UNKNOWN" })?.status;

test("network.challenge-moved: is SUSPICIOUS if the challenge was issued to another network or country", () => {
  expect(check(home(), server())).toBe("SUSPICIOUS");
  expect(check(server(), home())).toBe("SUSPICIOUS");
  expect(check(home(), home({ address: "87.128.1.1", countryCode: "US" }))).toBe("SUSPICIOUS");
});

test.each<[string, NetworkFacts | undefined, NetworkFacts]>([
  ["the same address", home(), home()],
  ["another address of the network", home(), home({ address: "87.128.99.99" })],
  ["a phone that leaves a home", home(), phone()],
  ["a phone that comes home", phone(), home()],
  ["a relay that changes its exit", server({ anonymity: "relay" }), home()],
  ["another family of another network", home(), server({ address: "2a01:4f8::1" })],
  ["a country that the sources do not agree on", home(), home({ countryCode: "AT", countryAgrees: false })],
  ["networks that are not known", home({ asn: undefined }), server()],
  ["a challenge from a private address", { evidence: [] }, home()],
  ["no address at the challenge", undefined, home()],
])("network.challenge-moved: leaves %s alone", (_name, challenge, observed) => {
  expect(check(challenge, observed)).toBeUndefined();
});
