import fc from "fast-check";
import { expect, test } from "vitest";

import { refuseAccountRef } from "./account-ref";

test.each([
  "42",
  "00123456789",
  "4915112345678",
  "user_8f14e45f",
  "019aa5de-0c5b-7a1e-9f3b-52c4d81f7bd4",
  "acct:EU/17.2",
  "2024-000123",
  "1234-5678",
  "cus_NffrFeUfNV2Hib",
  "a b",
  "x".repeat(128),
])("%s may be an account reference", (reference) => {
  expect(refuseAccountRef(reference)).toBeUndefined();
});

test.each([
  ["ada@example.com", "e-mail address"],
  ["ada%40example.com", "e-mail address"],
  ["mailto:ada", "e-mail address"],
  ["@ada", "e-mail address"],
  ["+49 151 12345678", "telephone number"],
  ["+1", "telephone number"],
  ["tel:5551234567", "telephone number"],
  ["(555) 123-4567", "telephone number"],
  ["0151 1234 5678", "telephone number"],
  ["555-123-4567", "telephone number"],
  ["555.123.4567", "telephone number"],
  ["", "empty"],
  ["x".repeat(129), "longer than 128"],
  ["zoë", "printable ASCII"],
  ["a\tb", "printable ASCII"],
])("%s is refused as %s", (reference, reason) => {
  expect(refuseAccountRef(reference)).toContain(reason);
});

test("a reason never repeats the reference, and any reference with an @ is refused", () => {
  const word = fc.stringMatching(/^[a-z0-9.]{3,20}$/);
  fc.assert(
    fc.property(word, word, (local, domain) => {
      const reason = refuseAccountRef(`${local}@${domain}`);
      expect(reason).toBeDefined();
      expect(reason).not.toContain(`${local}@`);
    }),
  );
});
