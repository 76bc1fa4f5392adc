import fc from "fast-check";
import { expect, test } from "vitest";

import { decodeCursor, encodeCursor } from "./cursor";
import { withoutSecrets } from "./detail";

const key = `svc_live_${"a".repeat(38)}`;

test.each([
  [{ name: `my key ${key}!` }, { name: "my key [redacted]!" }],
  [{ names: ["ok", key] }, { names: ["ok", "[redacted]"] }],
  [{ token: "0f".repeat(32) }, { token: "[redacted]" }],
  [
    { count: 3, flag: true, none: null, id: `key_${"0f".repeat(16)}` },
    { count: 3, flag: true, none: null, id: `key_${"0f".repeat(16)}` },
  ],
])("the detail %j is kept as %j", (detail, kept) => {
  expect(withoutSecrets(detail)).toEqual(kept);
});

test("a cursor gives back the position that it was made of", () => {
  const microseconds = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, "0"));
  const id = fc
    .bigInt({ min: 0n, max: 2n ** 128n - 1n })
    .map((number) => `aud_${number.toString(16).padStart(32, "0")}`);
  fc.assert(
    fc.property(microseconds, id, (fraction, auditId) => {
      const position = { at: `2026-11-21 09:31:14.${fraction}+00`, auditId };
      expect(decodeCursor(encodeCursor(position))).toEqual(position);
    }),
  );
});

test("any other text is no cursor", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      expect(decodeCursor(text)).toBeUndefined();
    }),
  );
});
