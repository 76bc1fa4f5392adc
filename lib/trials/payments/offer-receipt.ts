import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";

import type { PaymentRequired, SettleResponse } from "@x402/core/types";
import {
  createJWS,
  createOfferReceiptExtension,
  type JWSSigner,
  OFFER_RECEIPT,
  type OfferPayload,
  type OfferReceiptIssuer,
  type ReceiptPayload,
} from "@x402/extensions/offer-receipt";

import { baseUrl } from "@/lib/platform/env";
import { deriveKey, peppers, sha256 } from "@/lib/platform/secrets";
import type { PaymentTerms } from "./payments";

/** PKCS #8 prefix of an Ed25519 private key; its 32 bytes follow. Source: RFC 8410, section 7. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

type SigningKey = { id: string; key: KeyObject; jwk: { kty: string; crv: string; x: string } };

function keyOf(pepper: ReturnType<typeof peppers>[number]): SigningKey {
  const seed = deriveKey("x402 offers and receipts", pepper);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const { kty = "", crv = "", x = "" } = createPublicKey(key).export({ format: "jwk" });
  return { id: sha256(x).toString("base64url").slice(0, 16), key, jwk: { kty, crv, x } };
}

/** The identifier of this service: `did:web` with the port percent-encoded. Source: did:web, section 3.1. */
const serviceDid = (): string => `did:web:${encodeURIComponent(new URL(baseUrl()).host)}`;

function currentSigner(): JWSSigner {
  const [pepper] = peppers();
  if (!pepper) throw new Error("KEY_PEPPER contains no key");
  const { id, key } = keyOf(pepper);
  return {
    kid: `${serviceDid()}#${id}`,
    format: "jws",
    algorithm: "EdDSA",
    sign: (bytes) => Promise.resolve(sign(null, bytes, key).toString("base64url")),
  };
}

/** `/.well-known/did.json`: the public keys for verifying offers and receipts, including those of older peppers. */
export function composeDidDocument() {
  const id = serviceDid();
  const verificationMethod = peppers()
    .map(keyOf)
    .map((key) => ({ id: `${id}#${key.id}`, type: "JsonWebKey2020", controller: id, publicKeyJwk: key.jwk }));
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"],
    id,
    verificationMethod,
    assertionMethod: verificationMethod.map((method) => method.id),
  };
}

/** Signs deterministically for a purchase: timestamps are those of the purchase, not of the response. */
function issuerAt(at: Date): OfferReceiptIssuer {
  const signer = currentSigner();
  const signed = async (payload: OfferPayload | ReceiptPayload) => ({
    format: "jws" as const,
    signature: await createJWS(payload, signer),
  });
  return {
    kid: signer.kid,
    format: "jws",
    async issueOffer(resourceUrl, { acceptIndex, scheme, network, asset, payTo, amount }) {
      const payload = { version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil: seconds(at) };
      return { acceptIndex, ...(await signed(payload)) };
    },
    issueReceipt: (resourceUrl, payer, network, transaction = "") =>
      signed({ version: 1, network, resourceUrl, payer, issuedAt: seconds(at), transaction }),
  };
}

/** The offer extension of a challenge whose terms are locked until `validUntil`. */
export async function offerOf(
  required: PaymentRequired,
  { requirement }: PaymentTerms,
  validUntil: Date,
): Promise<Record<string, unknown>> {
  const extension = createOfferReceiptExtension(issuerAt(validUntil));
  const offer = await extension.enrichPaymentRequiredResponse?.(
    {},
    { requirements: [requirement], resourceInfo: required.resource, paymentRequiredResponse: required },
  );
  return offer === undefined ? {} : { [OFFER_RECEIPT]: offer };
}

type Delivered = { resource: string; requirement: PaymentTerms["requirement"]; at: Date };

/** A settlement response with a receipt for the delivery. */
export async function withReceipt(
  response: SettleResponse,
  { resource, requirement, at }: Delivered,
): Promise<SettleResponse> {
  const extension = createOfferReceiptExtension(issuerAt(at));
  const receipt = await extension.enrichSettlementResponse?.(
    { includeTxHash: true },
    {
      paymentPayload: { x402Version: 2, accepted: requirement, payload: {} },
      requirements: requirement,
      declaredExtensions: {},
      phase: "upfront",
      transportContext: { request: { adapter: { getUrl: () => resource } } },
      result: response,
    } as never, // safe: the extension only reads the result and the request's URL
  );
  return receipt === undefined
    ? response
    : { ...response, extensions: { ...response.extensions, [OFFER_RECEIPT]: receipt } };
}
