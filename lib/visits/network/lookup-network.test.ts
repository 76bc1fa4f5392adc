import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assessMovementIn } from "./assess-movement";
import { DATA_PACKAGES, locateInstalledPackage } from "./data-packages";
import { describeNetwork } from "./domain/describe-network";
import type { NetworkFacts } from "./domain/network-facts";
import { findPlace } from "./geo-records";
import { lookupNetworkIn } from "./lookup-network";
import { loadNetworkData } from "./load-network-data";
import type { NetworkData } from "./network-data";
import { sharingIn } from "./sharing";

const dataDir = mkdtempSync(path.join(tmpdir(), "imprint-network-"));
let data: NetworkData;

const described = (observed: NetworkFacts) => describeNetwork({ observed, consistency: "UNKNOWN" });

beforeAll(async () => {
  data = await loadNetworkData(dataDir);
}, 150_000);

afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

test.each([
  ["8.8.8.8", "US", 15169, "hosting"],
  ["1.1.1.1", "AU", 13335, "hosting"],
  ["3.5.140.2", "KR", 16509, "hosting"],
  ["52.95.110.1", "US", 16509, "hosting"],
  ["88.198.1.1", "DE", 24940, "hosting"],
  ["51.38.1.1", "FR", 16276, "hosting"],
  ["73.1.1.1", "US", 7922, "residential"],
  ["80.187.96.1", "DE", 3320, "residential"],
  ["172.56.1.1", "US", 21928, "mobile"],
  ["185.220.101.34", "DE", 60729, "proxy"],
  ["133.242.0.1", "JP", 7684, "hosting"],
  ["86.10.0.1", "GB", 5089, "residential"],
  ["2.3.4.5", "FR", 3215, "residential"],
  ["131.111.8.1", "GB", 786, "corporate"],
  ["18.9.22.69", "US", 3, "corporate"],
  ["129.132.1.1", "CH", 559, "corporate"],
  ["49.32.0.1", "IN", 55836, "mobile"],
  ["1.66.96.1", "JP", 9605, "mobile"],
  ["139.59.0.1", "IN", 14061, "hosting"],
  ["2a01:4f8::1", "DE", 24940, "hosting"],
  ["2607:fb90::1", "US", 21928, "mobile"],
  ["2003:c0::1", "DE", 3320, "residential"],
  ["2600:1f18::1", "US", 14618, "hosting"],
  ["2a00:1450:4001::1", "DE", 15169, "hosting"],
  ["2001:630::1", "GB", 786, "corporate"],
])(
  "lookupNetworkIn with the installed data sets: places %s in %s, AS%i, %s",
  (address, countryCode, asn, connectionType) => {
    expect(lookupNetworkIn(data, address)).toMatchObject({ address, countryCode, asn, connectionType });
  },
);

test.each([
  ["73.1.1.1", "home"],
  ["2003:c0::1", "home"],
  ["172.56.1.1", "shared"],
  ["88.198.1.1", "shared"],
  ["185.220.101.34", "shared"],
  ["::ffff:73.1.1.1", "home"],
  ["10.0.0.1", "unknown"],
  ["nonsense", "unknown"],
  [undefined, "unknown"],
])("lookupNetworkIn with the installed data sets: tells whether %s is shared: %s", (address, expected) => {
  expect(sharingIn(data, address)).toBe(expected);
  expect(sharingIn(undefined, address)).toBe("unknown");
});

test.each([
  ["104.28.202.185", "Cloudflare's network of relays, not of servers"],
  ["172.226.3.4", "Akamai's"],
  ["2a02:26f7:c640:4cda::1", "Akamai's, IPv6"],
  ["2a09:bac2::1", "WARP's"],
])("lookupNetworkIn with the installed data sets: recognises %s as a privacy relay without any list: %s", (address) => {
  const facts = lookupNetworkIn(data, address);
  expect(facts).toMatchObject({ connectionType: "proxy", anonymity: "relay", typeSource: "asn-table" });
  expect(facts.evidence).toContain("asn-table:proxy:relay");
});

test.each(["104.27.1.1", "172.223.255.255", "172.227.1.1", "151.101.1.1", "2606:4700::1"])(
  "lookupNetworkIn with the installed data sets: takes no server of the same providers for a relay: %s",
  (address) => {
    expect(lookupNetworkIn(data, address)).not.toHaveProperty("anonymity");
  },
);

test("lookupNetworkIn with the installed data sets: knows how far apart two homes are, and that those of one provider are close", () => {
  const visits = (from: string, to: string, ageSeconds: number) =>
    assessMovementIn(data, lookupNetworkIn(data, to), {
      places: [{ address: from, ageSeconds }],
      isHandheld: false,
    }).map(({ ruleId }) => ruleId);
  expect(visits("73.1.1.1", "2.3.4.5", 600)).toEqual(["network.impossible-travel"]);
  expect(visits("73.1.1.1", "2.3.4.5", 12 * 3600)).toEqual([]);
  expect(visits("80.187.96.1", "2.3.4.5", 600)).toEqual([]);
  expect(visits("172.56.1.1", "2.3.4.5", 600)).toEqual([]);
  expect(visits("18.9.22.69", "2.3.4.5", 600)).toEqual([]);
  expect(visits("2.3.4.6", "2.3.4.5", 1)).toEqual([]);
});

test("lookupNetworkIn with the installed data sets: never looks up an IPv6 address in the IPv4 file, where it would find another country", () => {
  if (data.city === undefined) throw new Error("the city data is not installed");
  const { v4 } = data.city;
  expect(findPlace({ v4, v6: v4 }, "2a01:4f8::1").countryCode).toBe("CN");
  expect(findPlace(data.city, "2a01:4f8::1").countryCode).toBe("DE");
});

test("lookupNetworkIn with the installed data sets: gives every spelling of an address the same facts", () => {
  expect(lookupNetworkIn(data, "::ffff:88.198.1.1")).toEqual(lookupNetworkIn(data, "88.198.1.1"));
  expect(lookupNetworkIn(data, "[2A01:4F8:0::1]")).toEqual(lookupNetworkIn(data, "2a01:4f8::1"));
});

test("lookupNetworkIn with the installed data sets: has the city's zone if both country sources agree", () => {
  const facts = lookupNetworkIn(data, "73.1.1.1");
  expect(facts).toMatchObject({ countryAgrees: true, countryName: "United States", timezone: "America/New_York" });
});

test("lookupNetworkIn with the installed data sets: has no zone and says so if the country sources differ", () => {
  const facts = lookupNetworkIn(data, "2001:4860:4860::8888");
  expect(facts).toMatchObject({ countryCode: "CA", countryAgrees: false });
  expect(facts).not.toHaveProperty("timezone");
  expect(facts.evidence).toContain("country:differs:city=CA,registry=US");
});

test("lookupNetworkIn with the installed data sets: tells whether the type comes from the table of networks or only from a name", () => {
  expect(lookupNetworkIn(data, "88.198.1.1").evidence).toEqual(["asn-table:hosting"]);
  expect(lookupNetworkIn(data, "86.10.0.1").evidence).toEqual(["name:residential:virgin media"]);
});

test.each([
  undefined,
  "unknown",
  "",
  "127.0.0.1",
  "::1",
  "10.0.0.1",
  "100.64.0.1",
  "192.168.1.4",
  "fd00::2",
  "fe80::1%eth0",
])("lookupNetworkIn with the installed data sets: omits everything for %j", (address) => {
  const facts = lookupNetworkIn(data, address);
  expect(facts).toEqual({ evidence: [] });
  expect(described(facts)).toEqual({ ip_consistency: "UNKNOWN" });
});

test("lookupNetworkIn with the installed data sets: maps to the Report's fields", () => {
  expect(described(lookupNetworkIn(data, "88.198.1.1"))).toEqual({
    ip_consistency: "UNKNOWN",
    proxy_detected: false,
    observed_ip: "88.198.1.1",
    country_code: "DE",
    location: { country_name: "Germany", region: "Saxony", city: "Falkenstein", timezone: "Europe/Berlin" },
    provider: "Hetzner Online GmbH",
    connection_type: "hosting",
    asn: 24940,
  });
});

const loadWithout = (absent: string): Promise<NetworkData> =>
  loadNetworkData(dataDir, { locatePackage: (name) => (name === absent ? undefined : locateInstalledPackage(name)) });

const nothing = () => undefined;
const expected = { address: "8.8.8.8", connectionType: "unknown", evidence: [] };

test("lookupNetworkIn without data: only knows the address before the data is opened", () => {
  expect(lookupNetworkIn(undefined, "8.8.8.8")).toEqual(expected);
});

test("lookupNetworkIn without data: only knows the address if no package is installed", async () => {
  const empty = await loadNetworkData(dataDir, { locatePackage: nothing });
  expect(lookupNetworkIn(empty, "8.8.8.8")).toEqual(expected);
  expect(described(lookupNetworkIn(empty, "8.8.8.8"))).toEqual({
    ip_consistency: "UNKNOWN",
    observed_ip: "8.8.8.8",
    connection_type: "unknown",
  });
});

test("lookupNetworkIn without data: falls back to the registry's country without the city package, and then has no zone", async () => {
  const withoutCity = await loadWithout(DATA_PACKAGES.city);
  const facts = lookupNetworkIn(withoutCity, "88.198.1.1");
  expect(facts).toMatchObject({ countryCode: "DE", countryName: "Germany", asn: 24940 });
  expect(facts).not.toHaveProperty("city");
  expect(facts).not.toHaveProperty("countryAgrees");
  expect(facts).not.toHaveProperty("timezone");
});

test("lookupNetworkIn without data: takes no zone from the city data alone", async () => {
  const withoutRegistry = await loadWithout(DATA_PACKAGES.country);
  const facts = lookupNetworkIn(withoutRegistry, "88.198.1.1");
  expect(facts).toMatchObject({ countryCode: "DE", city: "Falkenstein" });
  expect(facts).not.toHaveProperty("timezone");
});
