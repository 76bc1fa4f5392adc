import { constants, createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

import { z } from "zod";

const text = z.string().regex(/^[A-Za-z0-9_-]+$/);
const notPrivate = { d: z.undefined({ error: "a private key does not belong here" }).optional() };

const Jwk = z.discriminatedUnion("kty", [
  z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: text.max(64), ...notPrivate }),
  z.object({ kty: z.literal("EC"), crv: z.literal("P-256"), x: text.max(64), y: text.max(64), ...notPrivate }),
  z.object({ kty: z.literal("RSA"), n: text.min(342).max(1400), e: text.max(8), ...notPrivate }),
]);
type Jwk = z.infer<typeof Jwk>;

/** Required members of a key in lexical order (RFC 7638, section 3.2 and RFC 8037, appendix A.3). */
function thumbprintMembers(jwk: Jwk): Record<string, string> {
  if (jwk.kty === "OKP") return { crv: jwk.crv, kty: jwk.kty, x: jwk.x };
  if (jwk.kty === "EC") return { crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y };
  return { e: jwk.e, kty: jwk.kty, n: jwk.n };
}

const keyOf = (jwk: Jwk): KeyObject => createPublicKey({ key: thumbprintMembers(jwk), format: "jwk" });

function isKey(jwk: Jwk): boolean {
  try {
    keyOf(jwk);
    return true;
  } catch {
    return false;
  }
}

/** Public keys that the draft allows. Members that are not part of the key, such as `kid` and `use`, are ignored. */
export const PublicJwk = Jwk.refine(isKey, "not a public key of its kind");

/** One algorithm per key type (RFC 9421, section 3.3). */
const ALGORITHMS = { OKP: "ed25519", EC: "ecdsa-p256-sha256", RSA: "rsa-pss-sha512" } as const;

export type AgentKey = { keyId: string; algorithm: (typeof ALGORITHMS)[Jwk["kty"]]; key: KeyObject };

export function toAgentKey(jwk: Jwk): AgentKey {
  const keyId = createHash("sha256")
    .update(JSON.stringify(thumbprintMembers(jwk)))
    .digest("base64url");
  return { keyId, algorithm: ALGORITHMS[jwk.kty], key: keyOf(jwk) };
}

const SALT_BYTES = 64;

type Signed = { bases: readonly string[]; bytes: Buffer; algorithm: string | undefined };

function verifies({ algorithm, key }: AgentKey, data: Buffer, bytes: Buffer): boolean {
  if (algorithm === "ed25519") return verify(null, data, key, bytes);
  if (algorithm === "ecdsa-p256-sha256") return verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, bytes);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify("sha512", data, { key, padding, saltLength: SALT_BYTES }, bytes);
}

/** Returns the signature base that the signature is valid for, if any. An explicit algorithm must match the key. */
export function signedBase(key: AgentKey, { bases, bytes, algorithm }: Signed): string | undefined {
  if (algorithm !== undefined && algorithm !== key.algorithm) return undefined;
  return bases.find((base) => verifies(key, Buffer.from(base), bytes));
}
