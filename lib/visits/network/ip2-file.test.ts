import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { IP2Location } from "ip2location-nodejs";
import { IP2Proxy } from "ip2proxy-nodejs";
import { afterAll, expect, test } from "vitest";
import { openIp2File, ownerInIp2, placeInIp2, usageInIp2 } from "./ip2-file";
import { addressWords } from "./ranges";
import { ip2File } from "@/test/network-data";

const folder = mkdtempSync(path.join(tmpdir(), "imprint-ip2-"));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const NOTHING = "-";
// DB23: country, region, city, ISP (column 7), domain, mobile (9-11), usage (12), with coordinates in columns 5 and 6.
const place = (
  country: string,
  region: string,
  city: string,
  latitude: number,
  longitude: number,
  isp: string,
  usage: string,
) => [country, region, city, latitude, longitude, isp, NOTHING, NOTHING, NOTHING, NOTHING, usage];
const NOWHERE = place(NOTHING, NOTHING, NOTHING, 0, 0, NOTHING, NOTHING);
const LOCATIONS = ip2File(1, 23, {
  v4: [
    { from: "0.0.0.0", fields: NOWHERE },
    { from: "8.8.8.0", fields: place("US", "California", "Mountain View", 37.40599, -122.078514, "Google LLC", "DCH") },
    { from: "8.8.9.0", fields: NOWHERE },
    {
      from: "87.128.0.0",
      fields: place("DE", "Hessen", "Frankfurt am Main", 50.11552, 8.68417, "Deutsche Telekom AG", "ISP/MOB"),
    },
    { from: "87.129.0.0", fields: NOWHERE },
    { from: "255.255.255.255", fields: NOWHERE },
  ],
  v6: [
    { from: "::", fields: NOWHERE },
    {
      from: "2a01:4f8::",
      fields: place("DE", "Sachsen", "Falkenstein", 50.47785, 12.37129, "Hetzner Online GmbH", "DCH"),
    },
    { from: "2a01:4f9::", fields: NOWHERE },
    { from: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", fields: NOWHERE },
  ],
});
// PX2: type of proxy, country.
const PROXIES = ip2File(2, 2, {
  v4: [
    { from: "0.0.0.0", fields: [NOTHING, NOTHING] },
    { from: "87.128.14.20", fields: ["VPN", "DE"] },
    { from: "87.128.14.21", fields: ["TOR", "DE"] },
    { from: "87.128.14.22", fields: ["DCH", "DE"] },
    { from: "87.128.14.23", fields: ["RES", "DE"] },
    { from: "87.128.14.24", fields: [NOTHING, NOTHING] },
    { from: "255.255.255.255", fields: [NOTHING, NOTHING] },
  ],
  v6: [
    { from: "::", fields: [NOTHING, NOTHING] },
    { from: "2a01:4f8::", fields: ["PUB", "DE"] },
    { from: "2a01:4f8::1:0", fields: [NOTHING, NOTHING] },
    { from: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", fields: [NOTHING, NOTHING] },
  ],
});

const opened = (bytes: Buffer) => {
  const file = openIp2File(bytes);
  if (!file) throw new Error("not recognised");
  return file;
};
const saved = (name: string, bytes: Buffer) => {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
};
const known = (value: string) => (value === NOTHING ? undefined : value);

const ADDRESSES = [
  "1.2.3.4",
  "8.8.8.0",
  "8.8.8.8",
  "8.8.8.255",
  "8.8.9.0",
  "87.128.14.20",
  "2a01:4f8::1",
  "2a01:4f9::1",
  "2003::1",
];

test.each(ADDRESSES)("an IP2Location file: returns the same for %s as the supplier's own reader", (address) => {
  const reader = new IP2Location();
  reader.open(saved("locations.bin", LOCATIONS));
  const words = addressWords(address);
  const file = opened(LOCATIONS);
  const expected = reader.getAll(address);
  expect([placeInIp2(file, words).countryCode, placeInIp2(file, words).region, placeInIp2(file, words).city]).toEqual(
    [expected.countryShort, expected.region, expected.city].map(known),
  );
  expect(ownerInIp2(file, words).provider).toBe(known(expected.isp));
  reader.close();
});

test("an IP2Location file: has coordinates, and usage as connection type", () => {
  const file = opened(LOCATIONS);
  const words = addressWords("8.8.8.8");
  const { latitude = 0, longitude = 0 } = placeInIp2(file, words);
  expect([latitude, longitude].map((degrees) => degrees.toFixed(4))).toEqual(["37.4060", "-122.0785"]);
  expect(ownerInIp2(file, words).usage).toBe("hosting");
  expect(ownerInIp2(file, addressWords("87.128.14.20")).usage).toBe("residential");
  expect(file).toMatchObject({ product: "IP2Location", kind: 23, builtAt: new Date("2026-06-15T00:00:00Z") });
});

test.each([
  "1.2.3.4",
  "87.128.14.20",
  "87.128.14.21",
  "87.128.14.22",
  "87.128.14.23",
  "87.128.14.24",
  "2a01:4f8::1",
  "2a01:4f8::1:1",
])("an IP2Proxy file: finds the same row for %s as the supplier's own reader", (address) => {
  const reader = new IP2Proxy();
  reader.open(saved("proxies.bin", PROXIES));
  const kinds: Record<string, object | undefined> = {
    VPN: { connectionType: "proxy", anonymity: "vpn" },
    TOR: { connectionType: "proxy", anonymity: "tor" },
    PUB: { connectionType: "proxy", anonymity: "public_proxy" },
    RES: { connectionType: "proxy", anonymity: "residential_proxy" },
    DCH: { connectionType: "hosting" },
  };
  expect(usageInIp2(opened(PROXIES), addressWords(address))).toEqual(kinds[reader.getProxyType(address)]);
  reader.close();
});

test("an IP2Proxy file: has no usage from an IP2Location file", () => {
  expect(usageInIp2(opened(LOCATIONS), addressWords("8.8.8.8"))).toBeUndefined();
});

test("openIp2File: refuses truncated, zipped and other files", () => {
  for (const bytes of [
    LOCATIONS.subarray(0, 300),
    LOCATIONS.subarray(0, -1),
    Buffer.from("PK\u0003\u0004".padEnd(200)),
    Buffer.alloc(0),
    Buffer.alloc(500),
  ]) {
    expect(openIp2File(bytes)).toBeUndefined();
  }
});
