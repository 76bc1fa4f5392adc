import { createECDH } from "node:crypto";

import type { JWKS } from "oidc-provider";

import { deriveKey, oauthSecrets, peppers, sha256 } from "@/lib/platform/secrets";

/** Order of the group of P-256, less one. Source: FIPS 186-5, SP 800-186 section 3.2.1.3. */
const ORDER_LESS_ONE = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550n;
const COORDINATE_BYTES = 32;

const toBigInt = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

/**
 * A signing key that every replica with the same pepper derives alike.
 * Source: FIPS 186-5, A.2.1: 64 bits and more beyond the order keep the bias negligible.
 */
function derivedJwk(pepper: Parameters<typeof deriveKey>[1]): JWKS["keys"][number] {
  const wide = Buffer.concat([deriveKey("oauth signing key 1", pepper), deriveKey("oauth signing key 2", pepper)]);
  const scalar = (toBigInt(wide) % ORDER_LESS_ONE) + 1n;
  const key = createECDH("prime256v1");
  key.setPrivateKey(Buffer.from(scalar.toString(16).padStart(2 * COORDINATE_BYTES, "0"), "hex"));
  const point = key.getPublicKey();
  const part = (from: number) => point.subarray(from, from + COORDINATE_BYTES).toString("base64url");
  return {
    kty: "EC",
    crv: "P-256",
    use: "sig",
    alg: "ES256",
    kid: sha256(point).toString("base64url").slice(0, 16),
    x: part(1),
    y: part(1 + COORDINATE_BYTES),
    d: Buffer.from(scalar.toString(16).padStart(2 * COORDINATE_BYTES, "0"), "hex").toString("base64url"),
  };
}

/** Signing keys: those of `OAUTH_JWKS`, else derived from the peppers. */
export function signingKeys(): JWKS {
  const { jwks } = oauthSecrets();
  return jwks === undefined ? { keys: peppers().map(derivedJwk) } : (JSON.parse(jwks) as JWKS);
}

/** Keys of the cookies that bind a pending request to its browser; the first signs, the others are still accepted. */
export function cookieKeys(): string[] {
  const { cookieKeys: given } = oauthSecrets();
  if (given !== undefined) return given.split(",");
  return peppers().map((pepper) => Buffer.from(deriveKey("oauth cookies", pepper)).toString("base64url"));
}
