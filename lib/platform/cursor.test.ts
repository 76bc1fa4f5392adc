import fc from "fast-check";
import { expect, test } from "vitest";

import { decodeCursor, encodeCursor } from "./cursor";

test("a cursor decodes to the position it encodes", () => {
  const microseconds = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, "0"));
  const auditId = fc
    .bigInt({ min: 0n, max: 2n ** 128n - 1n })
    .map((number) => `aud_${number.toString(16).padStart(32, "0")}`);
  fc.assert(
    fc.property(microseconds, auditId, (fraction, id) => {
      const position = { at: `2026-11-21 09:31:14.${fraction}+00`, id };
      expect(decodeCursor("audit", encodeCursor(position))).toEqual(position);
      expect(decodeCursor("device", encodeCursor(position))).toBeUndefined();
    }),
  );
});

test("any other text is rejected", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      expect(decodeCursor("audit", text)).toBeUndefined();
    }),
  );
});
