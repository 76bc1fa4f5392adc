import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import { validateDiscoveryExtension } from "@x402/extensions/bazaar";
import { expect, test } from "vitest";

import { composeChallenge, composeSettlementHeader } from "./index";
import { testTerms } from "@/test/payments";

const terms = testTerms();
const intentId = `ati_${"0123456789abcdef".repeat(2)}`;
const activateUrl = `https://imprint.example/api/v1/agent/trial-intents/${intentId}/activate`;

test("the challenge repeats the locked terms and nothing else, and header and body are the same object", () => {
  const { header, body } = composeChallenge(terms, { resource: activateUrl });
  expect(decodePaymentRequiredHeader(header)).toEqual(body);
  expect(PaymentRequiredV2Schema.parse(body)).toEqual(body);
  expect(body.accepts).toEqual([terms.requirement]);
  expect(body.resource.url).toBe(activateUrl);
  expect(body.error).toBe("PAYMENT-SIGNATURE header is required");
  expect(header.length).toBeLessThan(4_096);
});

test("a reason stands in the challenge that follows a refused payment", () => {
  const { body } = composeChallenge(terms, { resource: activateUrl, error: "invalid_exact_evm_signature" });
  expect(body.error).toBe("invalid_exact_evm_signature");
});

test("the discovery extension is valid, names the route without its verb, and is the same in every challenge", () => {
  const { body } = composeChallenge(terms, { resource: activateUrl });
  const bazaar = body.extensions?.["bazaar"] as Parameters<typeof validateDiscoveryExtension>[0];
  expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
  expect(bazaar).toMatchObject({
    routeTemplate: "/api/v1/agent/trial-intents/:intentId/activate",
    info: { input: { type: "http", method: "POST", pathParams: { intentId } } },
  });
  expect(composeChallenge(terms, { resource: activateUrl, error: "other" }).body.extensions).toEqual(body.extensions);
});

test("terms that are no longer valid never become a header", () => {
  const broken = { ...terms, requirement: { ...terms.requirement, amount: "" } };
  expect(() => composeChallenge(broken, { resource: activateUrl })).toThrow();
});

test("an encoded settlement decodes to the same object", () => {
  const response = { success: true, transaction: `0x${"ab".repeat(32)}`, network: "eip155:31337" } as const;
  expect(decodePaymentResponseHeader(composeSettlementHeader(response))).toEqual(response);
});
