import { decodePaymentSignatureHeader } from "@x402/core/http";
import { PaymentPayloadV2Schema } from "@x402/core/schemas";
import { x402ResourceServer } from "@x402/core/server";
import type { PaymentPayload } from "@x402/core/types";
import { z } from "zod";

import { MAX_PAYMENT_CHARACTERS } from "@/lib/contract/trial";

import { findObjection } from "./domain/authorization";
import type { PaymentTerms, ReadPaymentResult } from "./payments";

const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
/** A uint256 in decimal. */
const Uint = z.string().regex(/^(0|[1-9]\d{0,77})$/);

/** The payload of scheme `exact` with EIP-3009. */
const Eip3009Payload = z.object({
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){65,2048}$/),
  authorization: z.object({
    from: EvmAddress,
    to: EvmAddress,
    value: Uint,
    validAfter: Uint,
    validBefore: Uint,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
});

/** Compares terms only; makes no network calls. */
const matcher = new x402ResourceServer();

function decode(header: string): PaymentPayload | undefined {
  if (header.length > MAX_PAYMENT_CHARACTERS) return undefined;
  try {
    const { success, data } = PaymentPayloadV2Schema.safeParse(decodePaymentSignatureHeader(header));
    return success ? (data as PaymentPayload) : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes a `PAYMENT-SIGNATURE` and validates it against the locked terms, without network calls. */
export function readPayment(header: string, terms: PaymentTerms, now: Date): ReadPaymentResult {
  const payload = decode(header);
  if (!payload) return { kind: "malformed" };
  const { requirement } = terms;
  if (!matcher.findMatchingRequirements([requirement], payload)) {
    return { kind: "unacceptable", reason: "No matching payment requirements" };
  }
  const own = Eip3009Payload.safeParse(payload.payload);
  if (!own.success) {
    const isOther = !("authorization" in payload.payload);
    return { kind: "unacceptable", reason: isOther ? "unsupported_payload_type" : "invalid_payload" };
  }
  const { authorization } = own.data;
  const objection = findObjection(authorization, requirement, Math.floor(now.getTime() / 1000));
  if (objection !== undefined) return { kind: "unacceptable", reason: objection };
  return {
    kind: "payment",
    payment: {
      payload: { ...payload, accepted: requirement, payload: own.data },
      network: requirement.network,
      asset: requirement.asset.toLowerCase(),
      payer: authorization.from.toLowerCase(),
      nonce: authorization.nonce.toLowerCase(),
      validAfter: Number(authorization.validAfter),
      validBefore: Number(authorization.validBefore),
    },
  };
}
