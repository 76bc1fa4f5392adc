import { createECDH } from "node:crypto";

import type { JWKS } from "oidc-provider";

import { deriveKey, oauthSecrets, peppers, sha256 } from "@/lib/platform/secrets";

/** Order of the P-256 group, minus one. Source: FIPS 186-5, SP 800-186 section 3.2.1.3. */
const ORDER_LESS_ONE = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550n;
const COORDINATE_BYTES = 32;

const toBigInt = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

/**
 * Derives a signing key, identically on every replica with the same pepper.
 * Source: FIPS 186-5, A.2.1: at least 64 bits more than the order keep the bias negligible.
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

/** Signing keys: `OAUTH_JWKS` if set, otherwise derived from the peppers. */
export function signingKeys(): JWKS {
  const { jwks } = oauthSecrets();
  return jwks === undefined ? { keys: peppers().map(derivedJwk) } : (JSON.parse(jwks) as JWKS);
}

/**
 * Keys for the cookies that bind a pending request to its browser. The first one signs; the others are still accepted.
 */
export function cookieKeys(): string[] {
  const { cookieKeys: given } = oauthSecrets();
  if (given !== undefined) return given.split(",");
  return peppers().map((pepper) => Buffer.from(deriveKey("oauth cookies", pepper)).toString("base64url"));
}
