import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openOperatorFile, ownerIn, placeIn, usageIn } from "./operator-file";
import { addressWords } from "./ranges";
import { ip2File, mmdbFile } from "@/test/network-data";

const folder = mkdtempSync(path.join(tmpdir(), "imprint-operator-"));
let files = 0;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function save(bytes: Buffer): string {
  files += 1;
  const file = path.join(folder, `file-${files}`);
  writeFileSync(file, bytes);
  return file;
}

const V4 = "8.8.8.8";
const V6 = "2a01:4f8::1";
const NETWORKS = ["8.8.8.0/24", "2a01:4f8::/32"];
const mmdb = (type: string, record: Parameters<typeof mmdbFile>[0][string]) =>
  save(mmdbFile(Object.fromEntries(NETWORKS.map((network) => [network, record])), { type }));

const MAXMIND_CITY = {
  country: { iso_code: "DE", names: { en: "Germany" } },
  subdivisions: [{ iso_code: "SN", names: { en: "Saxony" } }],
  city: { names: { en: "Falkenstein", de: "Falkenstein" } },
  location: { latitude: 50.4777, longitude: 12.3649, time_zone: "Europe/Berlin" },
};

test.each([
  ["GeoLite2-City", MAXMIND_CITY],
  ["GeoIP2-City", MAXMIND_CITY],
  ["DBIP-City-Lite (compat=City)", MAXMIND_CITY],
  [
    "city ipvAll",
    {
      country_code: "DE",
      state1: "Saxony",
      city: "Falkenstein",
      latitude: 50.4777,
      longitude: 12.3649,
      timezone: "Europe/Berlin",
    },
  ],
  [
    "ipinfo standard_location",
    {
      country: "DE",
      region: "Saxony",
      city: "Falkenstein",
      lat: "50.4777",
      lng: "12.3649",
      timezone: "Europe/Berlin",
    },
  ],
])("places: are read from %s", async (type, record) => {
  const file = await openOperatorFile(mmdb(type, record), "city");
  for (const address of [V4, V6]) {
    expect(placeIn(file, address, addressWords(address))).toEqual({
      countryCode: "DE",
      region: "Saxony",
      city: "Falkenstein",
      latitude: 50.4777,
      longitude: 12.3649,
      timezone: "Europe/Berlin",
    });
  }
  expect(placeIn(file, "9.9.9.9", addressWords("9.9.9.9"))).toEqual({});
  expect(file.kind).toBe(type);
});

test("places: uses the code of a country, never its name", async () => {
  const file = await openOperatorFile(
    mmdb("ipinfo lite", { country: "Germany", country_code: "DE", asn: "AS24940" }),
    "city",
  );
  expect(placeIn(file, V4, addressWords(V4))).toEqual({ countryCode: "DE" });
});

test("places: never looks up an IPv6 address in an IPv4 file, where it would find another country", async () => {
  const bytes = mmdbFile(
    { "42.0.0.0/7": { country_code: "CN" }, "8.8.8.0/24": { country_code: "US" } },
    { type: "country", ipVersion: 4 },
  );
  const file = await openOperatorFile(save(bytes), "city");
  expect(placeIn(file, V4, addressWords(V4))).toEqual({ countryCode: "US" });
  expect(placeIn(file, V6, addressWords(V6))).toEqual({});
});

test.each([
  [
    "GeoLite2-ASN",
    { autonomous_system_number: 24940, autonomous_system_organization: "Hetzner Online GmbH" },
    undefined,
  ],
  [
    "DBIP-ASN-Lite (compat=GeoLite2-ASN)",
    { autonomous_system_number: 24940, autonomous_system_organization: "Hetzner Online GmbH" },
    undefined,
  ],
  ["ipinfo lite", { asn: "AS24940", as_name: "Hetzner Online GmbH", as_domain: "hetzner.com" }, undefined],
  ["ipinfo asn", { asn: "AS24940", name: "Hetzner Online GmbH", type: "hosting" }, "hosting"],
  [
    "GeoIP2-Enterprise",
    {
      traits: {
        autonomous_system_number: 24940,
        autonomous_system_organization: "Hetzner Online GmbH",
        user_type: "hosting",
      },
    },
    "hosting",
  ],
])("owners: are read from %s", async (type, record, usage) => {
  const file = await openOperatorFile(mmdb(type, record), "asn");
  for (const address of [V4, V6]) {
    expect(ownerIn(file, address, addressWords(address))).toEqual({
      asn: 24940,
      provider: "Hetzner Online GmbH",
      ...(usage !== undefined && { usage }),
    });
  }
});

const NONE = { hosting: "", proxy: "", relay: "", tor: "", vpn: "", service: "" };

test.each([
  [
    "GeoIP2-Anonymous-IP",
    { is_anonymous: true, is_anonymous_vpn: true },
    { connectionType: "proxy", anonymity: "vpn" },
  ],
  [
    "GeoIP2-Anonymous-IP",
    { is_anonymous: true, is_tor_exit_node: true },
    { connectionType: "proxy", anonymity: "tor" },
  ],
  [
    "GeoIP2-Anonymous-IP",
    { is_anonymous: true, is_public_proxy: true, is_hosting_provider: true },
    { connectionType: "proxy", anonymity: "public_proxy" },
  ],
  [
    "GeoIP2-Anonymous-IP",
    { is_residential_proxy: true, is_anonymous: true },
    { connectionType: "proxy", anonymity: "residential_proxy" },
  ],
  ["GeoIP2-Anonymous-IP", { is_hosting_provider: true }, { connectionType: "hosting" }],
  [
    "ipinfo standard_privacy",
    { ...NONE, relay: "true", hosting: "true" },
    { connectionType: "proxy", anonymity: "relay" },
  ],
  ["ipinfo standard_privacy", { ...NONE, vpn: "true" }, { connectionType: "proxy", anonymity: "vpn" }],
  ["ipinfo standard_privacy", NONE, undefined],
])("anonymous networks: are read from %s: %j", async (type, record, expected) => {
  const file = await openOperatorFile(mmdb(type, record), "anonymous");
  expect(usageIn(file, V4, addressWords(V4))).toEqual(expected);
  expect(usageIn(file, "9.9.9.9", addressWords("9.9.9.9"))).toBeUndefined();
});

const ROWS = {
  v4: [
    { from: "0.0.0.0", fields: ["VPN", "DE"] },
    { from: "255.255.255.255", fields: ["-", "-"] },
  ],
  v6: [],
};

test("openOperatorFile: detects the type from the contents, whatever the file name", async () => {
  expect(await openOperatorFile(save(ip2File(2, 2, ROWS)), "anonymous")).toMatchObject({
    format: "ip2",
    kind: "IP2Proxy PX2",
  });
  expect(await openOperatorFile(mmdb("GeoLite2-City", MAXMIND_CITY), "city")).toMatchObject({ format: "mmdb" });
});

test("openOperatorFile: refuses a file with other data than required", async () => {
  await expect(openOperatorFile(mmdb("GeoLite2-ASN", { asn: 1 }), "city")).rejects.toThrow(
    "GeoLite2-ASN has no city data",
  );
  await expect(openOperatorFile(mmdb("GeoLite2-City", MAXMIND_CITY), "anonymous")).rejects.toThrow(
    "has no anonymous data",
  );
  await expect(openOperatorFile(save(ip2File(2, 2, ROWS)), "city")).rejects.toThrow("IP2Proxy PX2 has no city data");
});

test("openOperatorFile: accepts a custom file as configured", async () => {
  const file = await openOperatorFile(mmdb("our-offices", { is_vpn: true }), "anonymous");
  expect(usageIn(file, V4, addressWords(V4))).toEqual({ connectionType: "proxy", anonymity: "vpn" });
});

test("openOperatorFile: refuses truncated, empty and other files", async () => {
  const whole = mmdbFile({ "8.8.8.0/24": MAXMIND_CITY }, { type: "GeoLite2-City" });
  for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.alloc(0), Buffer.from("<html>not found</html>")]) {
    await expect(openOperatorFile(save(bytes), "city")).rejects.toThrow();
  }
  await expect(openOperatorFile(path.join(folder, "absent"), "city")).rejects.toThrow("ENOENT");
});
