import fc from "fast-check";
import { expect, test } from "vitest";
import { countIpv4, parseAddressList, toRanges } from "./address-list";
import { addressWords, findRange } from "./ranges";

const holds = (text: string, address: string) =>
  findRange(toRanges(parseAddressList(text).spans), addressWords(address)) >= 0;

test.each<[string, string, string[], string[]]>([
  [
    "addresses, one a line",
    "185.220.101.34\n2a01:4f8::1\n",
    ["185.220.101.34", "2a01:4f8::ffff"],
    ["185.220.101.35", "2a01:4f8:0:1::1"],
  ],
  [
    "networks with comments",
    "# exits\n8.8.8.0/24 ; Google\n\n2a01:4f8::/32\n",
    ["8.8.8.0", "8.8.8.255", "2a01:4f8:ffff::1"],
    ["8.8.9.0", "2a01:4f9::1"],
  ],
  ["ranges", "8.8.8.4-8.8.8.9", ["8.8.8.4", "8.8.8.9"], ["8.8.8.3", "8.8.8.10"]],
  [
    "a table with commas, as Apple's",
    "172.224.226.0/31,GB,GB-EN,London,\r\n2a02:26f7:b000::/45,US,,,\r\n",
    ["172.224.226.1", "2a02:26f7:b007::1"],
    ["172.224.226.2", "2a02:26f7:b008::1"],
  ],
  ["quoted fields", '"8.8.8.8","x"', ["8.8.8.8"], ["8.8.8.9"]],
  ["mapped and oddly written addresses", "::ffff:8.8.8.8\n[2A01:4F8:0::1]", ["8.8.8.8", "2a01:4f8::1"], ["8.8.8.9"]],
  [
    "a document in Amazon's shape",
    JSON.stringify({
      syncToken: "1.2",
      prefixes: [{ ip_prefix: "3.5.140.0/22", region: "ap-northeast-2" }],
      ipv6_prefixes: [{ ipv6_prefix: "2600:1f18::/33" }],
    }),
    ["3.5.143.255", "2600:1f18:7fff::1"],
    ["3.5.144.0", "2600:1f18:8000::1"],
  ],
  [
    "a document in Google's shape",
    JSON.stringify({ prefixes: [{ ipv4Prefix: "34.1.208.0/20" }, { ipv6Prefix: "2600:1900::/35" }] }),
    ["34.1.208.1", "2600:1900::1"],
    ["34.1.224.0"],
  ],
])("parseAddressList: reads %s", (_name, text, inside, outside) => {
  expect(inside.filter((address) => !holds(text, address))).toEqual([]);
  expect(outside.filter((address) => holds(text, address))).toEqual([]);
  expect(parseAddressList(text).rejected).toBe(0);
});

test.each([
  "10.0.0.0/8",
  "127.0.0.1",
  "0.0.0.0/0",
  "8.0.0.0/6",
  "::/0",
  "fd00::/8",
  "192.168.1.0/24",
  "<html>",
  "300.1.1.1",
  "8.8.8.8/33",
  "9.9.9.9-8.8.8.8",
  "8.8.8.8-2a01::1",
  "1.0.0.0-9.0.0.0",
])("parseAddressList: rejects %s and counts it", (text) => {
  expect(parseAddressList(text)).toEqual({ spans: [], entries: 0, rejected: 1 });
});

test("parseAddressList: ignores strings in a document that are not addresses", () => {
  expect(parseAddressList('{"createDate":"2026-11-20-21-05-03","a":["x.y","1.2",17,null]}')).toMatchObject({
    entries: 0,
    rejected: 0,
  });
});

test("parseAddressList: fails for a truncated document", () => {
  expect(() => parseAddressList('{"prefixes": [')).toThrow();
});

const anyNetwork = fc
  .tuple(fc.integer({ min: 1, max: 223 }), fc.nat(255), fc.integer({ min: 12, max: 32 }))
  .map(([a, b, bits]) => `${a}.${b}.7.9/${bits}`);

test("toRanges: finds exactly the addresses of the networks, however they overlap", () => {
  fc.assert(
    fc.property(
      fc.array(anyNetwork, { maxLength: 40 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 223 }), fc.nat(255), fc.nat(255)), { maxLength: 40 }),
      (networks, addresses) => {
        const { spans } = parseAddressList(networks.join("\n"));
        const ranges = toRanges(spans);
        for (const [a, b, c] of addresses) {
          const address = `${a}.${b}.${c}.9`;
          const [word = 0] = addressWords(address);
          const isInside = spans.some(({ start, end }) => start <= BigInt(word) && BigInt(word) <= end);
          expect(findRange(ranges, [word]) >= 0).toBe(isInside);
        }
      },
    ),
  );
});

test("toRanges: merges adjacent and overlapping networks", () => {
  const ranges = toRanges(parseAddressList("8.8.8.0/25\n8.8.8.128/25\n8.8.8.7\n9.9.9.9").spans);
  expect(ranges.v4.start).toHaveLength(2);
  expect(countIpv4(ranges)).toBe(257);
});
