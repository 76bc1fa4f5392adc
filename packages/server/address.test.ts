import fc from "fast-check";
import { expect, test } from "vitest";

import { isSameConnection } from "./address";

test.each([
  ["203.0.113.7", "203.0.113.7", true],
  ["203.0.113.7", "203.0.113.8", false],
  ["203.0.113.7", "::ffff:203.0.113.7", true],
  ["203.0.113.7", "::ffff:cb00:7107", true],
  ["203.0.113.7", "203.0.113.7:51234", true],
  ["203.0.113.7", "203.0.113.8:51234", false],
  ["2001:db8::", "[2001:db8::5]:443", true],
  ["2001:db8:1:2::1", "2001:DB8:1:2:ffff:ffff:ffff:ffff", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["2001:db8::", "[2001:db8::5]", true],
  ["fe80::1%eth0", "fe80::2", true],
  ["::", "::1", true],
  ["::1", "127.0.0.1", false],
  ["::203.0.113.7", "203.0.113.7", false],
])("%s and %s are of one connection: %s", (one, other, isSame) => {
  expect(isSameConnection(one, other)).toBe(isSame);
  expect(isSameConnection(other, one)).toBe(isSame);
});

test.each([
  "",
  "unknown",
  "203.0.113",
  "203.0.113.256",
  "0x7f.1",
  "1.2.3.4:",
  "1.2.3.256:80",
  "2001:db8::1]:443",
  "2001:db8",
  ":::",
  "1.2.3.4, 5.6.7.8",
  "2001:db8::1::2",
])("%j is no address", (text) => {
  expect(isSameConnection(text, text)).toBe(undefined);
});

const group = fc.integer({ min: 0, max: 0xffff });
const hex = (value: number) => value.toString(16);

test("two IPv6 addresses are of one connection exactly when their first 64 bits agree", () => {
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 12, maxLength: 12 }),
      fc.integer({ min: -1, max: 3 }),
      (groups, changed) => {
        const network = groups.slice(0, 4);
        const other = network.map((value, index) => (index === changed ? value ^ 1 : value));
        const one = [...network, ...groups.slice(4, 8)].map(hex).join(":");
        const two = [...other, ...groups.slice(8)].map(hex).join(":");
        expect(isSameConnection(one, two)).toBe(changed === -1);
      },
    ),
  );
});

test("no text breaks the comparison", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:.%[\]]{0,50}$/)), (text) => {
      expect([true, false, undefined]).toContain(isSameConnection(text, "203.0.113.7"));
    }),
  );
});
