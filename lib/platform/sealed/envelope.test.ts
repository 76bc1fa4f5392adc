import fc from "fast-check";
import { afterEach, expect, test } from "vitest";

import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { open, rewrap, seal, sealedUnder } from "./index";

const [OLD, FRESH] = [TEST_SECRETS.keks, `k2:${Buffer.alloc(32, 7).toString("base64")}`];
const useKeks = (keks: string) => {
  publishSecrets({ ...TEST_SECRETS, keks });
};

afterEach(() => {
  useKeks(OLD);
});

const ROW = "trial_intents.api_key ati_1";

test("any text survives sealing and opening, and the sealed value does not contain it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 6 }), fc.string(), (secret, boundTo) => {
      const sealed = seal(secret, boundTo);
      expect(open(sealed, boundTo)).toBe(secret);
      expect(sealed).toMatch(/^v1\.k1\.[\w-]+\.[\w-]+$/);
      expect(Buffer.from(sealed.split(".")[3] ?? "", "base64url").includes(Buffer.from(secret))).toBe(false);
    }),
  );
});

test("a ciphertext moved to another row does not open there", () => {
  const sealed = seal("secret", ROW);
  expect(() => open(sealed, "trial_intents.api_key ati_2")).toThrow();
  expect(() => rewrap(sealed, "trial_intents.api_key ati_2")).toThrow();
});

test("neither half of another row's sealed value opens in this row", () => {
  const [own, other] = [seal("own", ROW).split("."), seal("other", "trial_intents.api_key ati_2").split(".")];
  expect(() => open([...own.slice(0, 3), other[3]].join("."), ROW)).toThrow();
  expect(() => open([...own.slice(0, 2), other[2], own[3]].join("."), ROW)).toThrow();
  expect(() => open([...own.slice(0, 2), other[2], other[3]].join("."), ROW)).toThrow();
});

test("a sealed value with any bit flipped does not open", () => {
  const [version, keyId, ...parts] = seal("secret", ROW).split(".");
  for (const which of [0, 1]) {
    const box = Buffer.from(parts[which] ?? "", "base64url");
    for (let bit = 0; bit < box.length * 8; bit += 1) {
      const changed = Buffer.from(box);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const both = parts.map((part, index) => (index === which ? changed.toString("base64url") : part));
      expect(() => open([version, keyId, ...both].join("."), ROW)).toThrow();
    }
  }
});

test("any other text is rejected", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `v1.k1.${text}`),
      ),
      (text) => {
        expect(() => open(text, ROW)).toThrow();
      },
    ),
  );
});

test("sealing the same secret twice gives two values that share neither key nor ciphertext", () => {
  const [first, second] = [seal("secret", ROW).split("."), seal("secret", ROW).split(".")];
  expect(first[2]).not.toBe(second[2]);
  expect(first[3]).not.toBe(second[3]);
});

test("after a rotation old secrets still open, new ones are sealed under the new key, and rewrapped ones need only it", () => {
  const old = seal("secret", ROW);
  useKeks(`${FRESH},${OLD}`);
  expect(open(old, ROW)).toBe("secret");
  expect(sealedUnder(seal("other", ROW))).toBe("k2");
  const fresh = rewrap(old, ROW);
  expect(sealedUnder(fresh)).toBe("k2");
  expect(fresh.split(".")[3]).toBe(old.split(".")[3]);
  useKeks(FRESH);
  expect(open(fresh, ROW)).toBe("secret");
  expect(() => open(old, ROW)).toThrow("KEKS lacks the key k1");
});

test("a key-encryption key that is not 32 bytes long is refused with a clear message", () => {
  useKeks(`k3:${Buffer.alloc(16, 1).toString("base64")}`);
  expect(() => seal("secret", ROW)).toThrow("The key k3 of KEKS is not 32 bytes long");
});
