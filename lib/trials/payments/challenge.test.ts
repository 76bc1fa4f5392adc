import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import { validateDiscoveryExtension } from "@x402/extensions/bazaar";
import {
  decodeSignedOffers,
  extractJWSHeader,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  findAcceptsObjectFromSignedOffer,
  isJWSSignedReceipt,
  type JWSSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from "@x402/extensions/offer-receipt";
import { expect, test } from "vitest";

import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import {
  composeChallenge,
  composeDidDocument,
  composeSettlementHeader,
  MAX_CHALLENGE_CHARACTERS,
  withReceipt,
} from "./index";
import { testTerms } from "@/test/payments";

const terms = testTerms();
const intentId = `ati_${"0123456789abcdef".repeat(2)}`;
const activateUrl = `https://imprint.example/api/v1/agent/trial-intents/${intentId}/activate`;

test("the challenge contains exactly the locked terms, and header and body are the same object", async () => {
  const { header, body } = await composeChallenge(terms, { resource: activateUrl });
  expect(decodePaymentRequiredHeader(header)).toEqual(body);
  expect(PaymentRequiredV2Schema.parse(body)).toEqual(body);
  expect(body.accepts).toEqual([terms.requirement]);
  expect(body.resource.url).toBe(activateUrl);
  expect(body.error).toBe("PAYMENT-SIGNATURE header is required");
  expect(header.length).toBeLessThan(4_096);
});

test("the challenge after a refused payment contains the reason", async () => {
  const { body } = await composeChallenge(terms, { resource: activateUrl, error: "invalid_exact_evm_signature" });
  expect(body.error).toBe("invalid_exact_evm_signature");
});

test("the discovery extension is valid, names the route without its verb, and is the same in every challenge", async () => {
  const { body } = await composeChallenge(terms, { resource: activateUrl });
  const bazaar = body.extensions?.["bazaar"] as Parameters<typeof validateDiscoveryExtension>[0];
  expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
  expect(bazaar).toMatchObject({
    routeTemplate: "/api/v1/agent/trial-intents/:intentId/activate",
    info: { input: { type: "http", method: "POST", pathParams: { intentId } } },
  });
  expect((await composeChallenge(terms, { resource: activateUrl, error: "other" })).body.extensions).toEqual(
    body.extensions,
  );
});

test("invalid stored terms never become a header", async () => {
  const broken = { ...terms, requirement: { ...terms.requirement, amount: "" } };
  await expect(composeChallenge(broken, { resource: activateUrl })).rejects.toThrow();
});

test("an encoded settlement decodes to the same object", () => {
  const response = { success: true, transaction: `0x${"ab".repeat(32)}`, network: "eip155:31337" } as const;
  expect(decodePaymentResponseHeader(composeSettlementHeader(response))).toEqual(response);
});

test("locked terms are offered with this service's signature, the same in every challenge", async () => {
  publishSecrets(TEST_SECRETS);
  const [key] = composeDidDocument().verificationMethod;
  const options = { resource: activateUrl, validUntil: new Date("2026-01-01T00:00:00Z") };
  const { body } = await composeChallenge(terms, options);
  expect((await composeChallenge(terms, options)).body).toEqual(body);
  const [offer] = extractOffersFromPaymentRequired(body) as JWSSignedOffer[];
  if (!offer || !key) throw new Error("there is no offer");
  const { amount, asset, payTo, network, scheme } = terms.requirement;
  expect(extractJWSHeader(offer.signature)).toEqual({ alg: "EdDSA", kid: key.id });
  expect(await verifyOfferSignatureJWS(offer, key.publicKeyJwk)).toEqual({
    ...{ version: 1, resourceUrl: activateUrl, validUntil: 1_767_225_600 },
    ...{ amount, asset, payTo, network, scheme },
  });
  expect(findAcceptsObjectFromSignedOffer(offer, body.accepts)).toEqual(terms.requirement);
  expect(extractOffersFromPaymentRequired((await composeChallenge(terms, { resource: activateUrl })).body)).toEqual([]);
});

test("a challenge with an offer is no longer than what proxies are checked for, even with a long URL", async () => {
  publishSecrets(TEST_SECRETS);
  const host = `https://${"imprint.".repeat(11)}example`;
  for (const path of [`/api/v1/agent/trial-intents/${intentId}/activate`, "/api/v1/agent/trial"]) {
    const { header } = await composeChallenge(terms, { resource: `${host}${path}`, validUntil: new Date() });
    expect(header.length).toBeLessThan(MAX_CHALLENGE_CHARACTERS);
  }
});

test("a receipt for the delivery is signed for the payer, and matches the offer", async () => {
  publishSecrets(TEST_SECRETS);
  const [key] = composeDidDocument().verificationMethod;
  const { body } = await composeChallenge(terms, { resource: activateUrl, validUntil: new Date() });
  const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(body));
  const payer = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const settled = { success: true, transaction: `0x${"ab".repeat(32)}`, network: terms.requirement.network, payer };
  const answered = await withReceipt(settled, {
    resource: activateUrl,
    requirement: terms.requirement,
    at: new Date(),
  });
  const header = { "PAYMENT-RESPONSE": composeSettlementHeader(answered) };
  const receipt = extractReceiptFromResponse(new Response(null, { headers: header }));
  if (!offer || !receipt || !isJWSSignedReceipt(receipt) || !key) throw new Error("there is no receipt");
  expect(await verifyReceiptSignatureJWS(receipt, key.publicKeyJwk)).toMatchObject({
    payer,
    transaction: settled.transaction,
  });
  expect(verifyReceiptMatchesOffer(receipt, offer, [payer])).toBe(true);
  expect(verifyReceiptMatchesOffer(receipt, offer, [terms.requirement.payTo])).toBe(false);
});
