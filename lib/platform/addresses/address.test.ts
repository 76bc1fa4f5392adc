import fc from "fast-check";
import { expect, test } from "vitest";
import { addressPrefix, canonicalAddress, isPublicAddress, rateLimitKey } from "./address";

const ipv6FromGroups = (groups: number[]) => groups.map((group) => group.toString(16)).join(":");
const anyIpv6 = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 });
/** The URL parser is an independent implementation of the RFC 5952 format. */
const asUrlHost = (address: string) => new URL(`http://[${address}]/`).hostname.slice(1, -1);
const isMapped = (groups: number[]) => groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;

test.each([
  [" 203.0.113.9 ", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:cb00:7109", "203.0.113.9"],
  ["[2001:DB8:0:0:1::1]", "2001:db8::1:0:0:1"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]", "fe80::1"],
  ["::1", "::1"],
  ["2001:db8::192.0.2.1", "2001:db8::c000:201"],
])("canonicalAddress: writes %j as %s", (text, expected) => {
  expect(canonicalAddress(text)).toBe(expected);
});

test.each([
  ["", "empty"],
  ["unknown", "a word of proxies"],
  ["127.1", "a short form that resolvers accept"],
  ["017.0.0.1", "octal"],
  ["0x7f.0.0.1", "hexadecimal"],
  ["2130706433", "one number"],
  ["256.0.0.1", "out of range"],
  ["1.2.3", "too few parts"],
  ["1.2.3.4.", "a trailing dot"],
  ["1.2.3.4:80", "a port"],
  ["[::1]:443", "a port after brackets"],
  ["1::2::3", "two gaps"],
  ["[1.2.3.4]", "brackets around IPv4"],
  ["1.2.3.4, 5.6.7.8", "a list"],
  ["::1\u0000", "a control character"],
])("canonicalAddress: refuses %j (%s)", (text) => {
  expect(canonicalAddress(text)).toBeUndefined();
});

test("canonicalAddress: formats every IPv6 address as RFC 5952 does", () => {
  fc.assert(
    fc.property(anyIpv6, (groups) => {
      fc.pre(!isMapped(groups));
      expect(canonicalAddress(ipv6FromGroups(groups))).toBe(asUrlHost(ipv6FromGroups(groups)));
    }),
  );
});

test("canonicalAddress: gives IPv4 and its IPv4-mapped IPv6 form the same result", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(canonicalAddress(address)).toBe(address);
      expect(canonicalAddress(`::ffff:${address}`)).toBe(address);
    }),
  );
});

test("canonicalAddress: is idempotent and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (text) => {
      const once = canonicalAddress(text);
      if (once !== undefined) expect(canonicalAddress(once)).toBe(once);
    }),
  );
});

test.each([
  "8.8.8.8",
  "172.32.0.1",
  "100.128.0.1",
  "2a01:4f8::1",
  "2002:808:808::1",
  "64:ff9b::808:808",
  "::ffff:8.8.8.8",
])("isPublicAddress: accepts %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.4"],
  ...["192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255"],
  ...[
    "::",
    "::1",
    "fe80::1",
    "fd00::2",
    "ff02::1",
    "2001:db8::1",
    "::2",
    "4000::1",
    "::ffff:192.168.1.4",
    "unknown",
    "",
  ],
])("isPublicAddress: refuses %j", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("rateLimitKey and addressPrefix: count an IPv4 address by itself and its network by /24", () => {
  expect(rateLimitKey("198.51.100.7")).toBe("198.51.100.7");
  expect(addressPrefix("198.51.100.7")).toBe("198.51.100.0/24");
});

test("rateLimitKey and addressPrefix: count an IPv6 subscriber by /64 and a site by /48", () => {
  expect(rateLimitKey("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressPrefix("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1::/48");
});

test("rateLimitKey and addressPrefix: give all addresses of one /64 the same key, and those of another /64 a different one", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const four = fc.array(group, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(four, four, four, (network, host, otherHost) => {
      fc.pre(network[0] !== 0);
      const key = (groups: number[]) => rateLimitKey(asUrlHost(ipv6FromGroups(groups)));
      const [first = 0, ...rest] = network;
      expect(key([...network, ...host])).toBe(key([...network, ...otherHost]));
      expect(key([...network, ...host])).not.toBe(key([first ^ 1, ...rest, ...host]));
    }),
  );
});
