import { decodePaymentSignatureHeader } from "@x402/core/http";
import { PaymentPayloadV2Schema } from "@x402/core/schemas";
import { x402ResourceServer } from "@x402/core/server";
import type { PaymentPayload } from "@x402/core/types";
import { z } from "zod";

import { MAX_PAYMENT_CHARACTERS } from "@/lib/contract/trial";

import { findObjection } from "./domain/authorization";
import type { PaymentTerms, ReadPaymentResult } from "./payments";

const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
/** A uint256 as a decimal string. */
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

/** Only compares terms; makes no network calls. */
const matcher = new x402ResourceServer();

type Malformed = Extract<ReadPaymentResult, { kind: "malformed" }>;

const malformed = (message: string): Malformed => ({ kind: "malformed", message });

const versionOf = (sent: unknown): unknown =>
  typeof sent === "object" && sent !== null && "x402Version" in sent ? sent.x402Version : undefined;

function decode(header: string): { kind: "decoded"; payload: PaymentPayload } | Malformed {
  let sent: unknown;
  try {
    if (header.length > MAX_PAYMENT_CHARACTERS) throw new Error("too long");
    sent = decodePaymentSignatureHeader(header);
  } catch {
    return malformed("PAYMENT-SIGNATURE is not JSON in base64");
  }
  if (versionOf(sent) === 1) return malformed("Sign a payload of x402 version 2: this one is of version 1");
  const { error, data } = PaymentPayloadV2Schema.safeParse(sent);
  if (!error) return { kind: "decoded", payload: data as PaymentPayload };
  const [issue] = error.issues;
  const where = issue?.path.length ? issue.path.join(".") : "payload";
  return malformed(`The payment payload is not valid: ${where}: ${issue?.message ?? "not of x402 version 2"}`);
}

/** Decodes a `PAYMENT-SIGNATURE` and validates it against the locked terms, without network calls. */
export function readPayment(header: string, terms: PaymentTerms, now: Date): ReadPaymentResult {
  const decoded = decode(header);
  if (decoded.kind === "malformed") return decoded;
  const { payload } = decoded;
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
