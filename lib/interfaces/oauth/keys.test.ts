import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

import { expect, test } from "vitest";

import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { cookieKeys, signingKeys } from "./keys";

const ring = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`;

test("keys are derived from the pepper, identically in every process, and older peppers' keys stay accepted", () => {
  publishSecrets(TEST_SECRETS);
  const before = { jwks: signingKeys(), cookies: cookieKeys() };
  publishSecrets(TEST_SECRETS);
  expect({ jwks: signingKeys(), cookies: cookieKeys() }).toEqual(before);
  publishSecrets({ ...TEST_SECRETS, keyPepper: `${ring("p2", 9)},${TEST_SECRETS.keyPepper}` });
  expect(signingKeys().keys.slice(1)).toEqual(before.jwks.keys);
  expect(cookieKeys().slice(1)).toEqual(before.cookies);
  expect(cookieKeys()[0]).not.toBe(before.cookies[0]);
});

test("a derived signing key is a valid pair: its public key verifies its signatures", () => {
  publishSecrets(TEST_SECRETS);
  const [jwk] = signingKeys().keys;
  if (!jwk) throw new Error("there is no key");
  const { kty = "", crv = "", x = "", y = "", d = "" } = jwk as Record<string, string>;
  const open = { kty, crv, x, y };
  const data = Buffer.from("text");
  const signature = sign("sha256", data, createPrivateKey({ key: { ...open, d }, format: "jwk" }));
  expect(verify("sha256", data, createPublicKey({ key: open, format: "jwk" }), signature)).toBe(true);
});

test("keys from the environment take precedence", () => {
  publishSecrets({ ...TEST_SECRETS, oauthCookieKeys: `${"a".repeat(32)},${"b".repeat(32)}`, oauthJwks: '{"keys":[]}' });
  expect(cookieKeys()).toEqual(["a".repeat(32), "b".repeat(32)]);
  expect(signingKeys()).toEqual({ keys: [] });
});
