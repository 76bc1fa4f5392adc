import fc from "fast-check";
import { expect, test } from "vitest";

import { readPayment } from "./index";
import { testTerms, toHeader, unsignedPayload } from "@/test/payments";

const now = new Date("2026-11-21T12:00:00Z");
const nowSeconds = now.getTime() / 1000;
const terms = testTerms();
const read = (payload: unknown) => readPayment(toHeader(payload), terms, now);

test("a payment on the locked terms is read, with its on-chain identity in lower case", () => {
  expect(read(unsignedPayload(terms, now))).toMatchObject({
    kind: "payment",
    payment: {
      network: "eip155:31337",
      asset: "0x00000000000000000000000000000000000e3009",
      payer: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
      nonce: `0x${"ab".repeat(32)}`,
      validAfter: 0,
      validBefore: nowSeconds + 120,
    },
  });
});

test("fields that a client adds to the payload are not stored with the authorization", () => {
  const payload = unsignedPayload(terms, now);
  const result = read({ ...payload, note: "x", payload: { ...payload.payload, note: "x" } });
  expect(result).toEqual(read(payload));
});

const CODED = "PAYMENT-SIGNATURE is not JSON in base64";

test.each([
  ["an empty header", "", CODED],
  ["no base64", "{}", CODED],
  ["base64 of no JSON", Buffer.from("hello").toString("base64"), CODED],
  ["base64 of JSON that is no payload", Buffer.from("[]").toString("base64"), "The payment payload is not valid: "],
  [
    "a payload of x402 version 1",
    toHeader({ ...unsignedPayload(terms, now), x402Version: 1 }),
    "Sign a payload of x402 version 2",
  ],
  [
    "a payload without accepted terms",
    toHeader({ ...unsignedPayload(terms, now), accepted: undefined }),
    ": accepted: ",
  ],
  [
    "the name of a network from version 1",
    toHeader({ ...unsignedPayload(terms, now), accepted: { ...terms.requirement, network: "base" } }),
    ": accepted.network: ",
  ],
  ["a header that is too long", "A".repeat(12_292), CODED],
])("%s is malformed, and the message says why", (_, header, why) => {
  expect(readPayment(header, terms, now)).toEqual({
    kind: "malformed",
    message: expect.stringContaining(why) as string,
  });
});

test.each([
  [{ amount: "999999" }],
  [{ payTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }],
  [{ network: "eip155:8453" }],
  [{ asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }],
  [{ scheme: "upto" }],
  [{ maxTimeoutSeconds: 999 }],
  [{ extra: { name: "Other", version: "2" } }],
])("accepted terms that differ by %j are not acceptable", (other) => {
  const payload = unsignedPayload(terms, now);
  const differing = { ...payload, accepted: { ...terms.requirement, ...other } };
  expect(read(differing)).toEqual({ kind: "unacceptable", reason: "No matching payment requirements" });
});

test.each([
  [{ to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "invalid_exact_evm_recipient_mismatch"],
  [{ value: "999999" }, "invalid_exact_evm_payload_authorization_value_mismatch"],
  [{ value: "1000001" }, "invalid_exact_evm_payload_authorization_value_mismatch"],
  [{ validAfter: String(nowSeconds + 31) }, "invalid_exact_evm_payload_authorization_valid_after"],
  [{ validBefore: String(nowSeconds + 5) }, "invalid_exact_evm_payload_authorization_valid_before"],
  [{ validBefore: String(nowSeconds + 151) }, "invalid_exact_evm_payload_authorization_valid_before"],
  [{ validBefore: String(nowSeconds + 365 * 86_400) }, "invalid_exact_evm_payload_authorization_valid_before"],
  [{ validBefore: String(2n ** 255n) }, "invalid_exact_evm_payload_authorization_valid_before"],
  [{ value: "0x0f4240" }, "invalid_payload"],
  [{ value: "01000000" }, "invalid_payload"],
  [{ nonce: "0x12" }, "invalid_payload"],
  [{ from: "me" }, "invalid_payload"],
])("an authorization with %j is not acceptable", (given, reason) => {
  expect(read(unsignedPayload(terms, now, given))).toEqual({ kind: "unacceptable", reason });
});

test.each([
  [{ validBefore: String(nowSeconds + 6) }],
  [{ validBefore: String(nowSeconds + 150) }],
  [{ validAfter: String(nowSeconds) }],
])("an authorization with %j is acceptable", (given) => {
  expect(read(unsignedPayload(terms, now, given))).toMatchObject({ kind: "payment" });
});

test("a Permit2 payload is not supported, since the chain could not show its outcome later", () => {
  const payload = { ...unsignedPayload(terms, now), payload: { signature: "0x00", permit2Authorization: {} } };
  expect(read(payload)).toEqual({ kind: "unacceptable", reason: "unsupported_payload_type" });
});

test("no header makes it throw", () => {
  const json = fc.json().map((text) => Buffer.from(text).toString("base64"));
  const nearly = fc
    .record({ payload: fc.anything(), accepted: fc.anything(), extensions: fc.anything() }, { requiredKeys: [] })
    .map((other) => {
      try {
        return toHeader({ ...unsignedPayload(terms, now), ...other });
      } catch {
        return "";
      }
    });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.base64String(), json, nearly), (header) => {
      expect(["malformed", "unacceptable", "payment"]).toContain(readPayment(header, terms, now).kind);
    }),
  );
});
