import { crc32 } from "node:zlib";

import fc from "fast-check";
import { expect, test } from "vitest";

import { isWellFormedKey, KEY_KINDS, keyPreview, mintKey } from "./key-format";

const byteSource = fc.infiniteStream(fc.integer({ min: 0, max: 255 }));
const key = fc
  .tuple(fc.constantFrom(...KEY_KINDS), byteSource)
  .map(([kind, bytes]) => mintKey(kind, () => Number(bytes.next().value)));

test("a key is its prefix, 32 random characters, and the CRC-32 of both in 6 characters", () => {
  fc.assert(
    fc.property(key, (minted) => {
      expect(minted).toMatch(/^svc_(live|trial)_[0-9A-Za-z]{38}$/);
      const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
      const decoded = Array.from(minted.slice(-6)).reduce((value, letter) => value * 62 + alphabet.indexOf(letter), 0);
      expect(decoded).toBe(crc32(minted.slice(0, -6)));
      expect(isWellFormedKey(minted)).toBe(true);
    }),
  );
});

test("the checksum detects any changed character", () => {
  fc.assert(
    fc.property(key, fc.nat(), fc.constantFrom("0", "A", "a", "z", "9", "Z", "x"), (minted, at, letter) => {
      const index = at % minted.length;
      fc.pre(minted[index] !== letter);
      expect(isWellFormedKey(minted.slice(0, index) + letter + minted.slice(index + 1))).toBe(false);
    }),
  );
});

test("text in any other format is not a key", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 100 }),
        key.map((minted) => ` ${minted}`),
        key.map((minted) => `${minted}\n`),
      ),
      (text) => {
        expect(isWellFormedKey(text)).toBe(false);
      },
    ),
  );
});

test("bytes that would bias the distribution of characters are skipped", () => {
  const bytes = [255, 248, 0, 247];
  expect(mintKey("live", () => bytes.shift() ?? 61)).toMatch(/^svc_live_0z{31}/);
});

test("the preview does not reveal most of the secret", () => {
  const minted = mintKey("trial", () => 10);
  const { preview, lastFour } = keyPreview(minted);
  expect(preview).toBe("svc_trial_AAAA");
  expect(lastFour).toBe(minted.slice(-4));
});
