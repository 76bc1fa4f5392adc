import type { NetworkFacts } from "@/lib/visits/network";

/**
 * Networks of the demo data. Addresses and AS numbers are those reserved for documentation by RFC 5737, RFC 3849 and
 * RFC 5398, so nothing here refers to a real network.
 */
export type DemoNetwork = {
  facts: Omit<NetworkFacts, "address">;
  /** The address of subscriber 0 to 29. */
  addressOf: (subscriber: number) => string;
};

const SUBSCRIBERS = 30;

const block = (prefix: string, from: number) => (subscriber: number) =>
  `${prefix}.${from + 1 + (subscriber % SUBSCRIBERS)}`;
const block6 = (site: string) => (subscriber: number) => `2001:db8:${site}:${subscriber % SUBSCRIBERS}::1`;

type Type = NonNullable<NetworkFacts["connectionType"]>;
type Where = readonly [countryCode: string, countryName: string, region: string, city: string, timezone: string];

const known = (
  [countryCode, countryName, region, city, timezone]: Where,
  [provider, asn, connectionType]: readonly [string, number, Type],
  rest: Partial<NetworkFacts> = {},
): DemoNetwork["facts"] => ({
  countryCode,
  countryAgrees: true,
  countryName,
  region,
  city,
  timezone,
  provider,
  asn,
  connectionType,
  typeSource: "asn-table",
  evidence: [`asn-table:${connectionType}`],
  ...rest,
});

const BERLIN: Where = ["DE", "Germany", "Berlin", "Berlin", "Europe/Berlin"];
const NEW_YORK: Where = ["US", "United States", "New York", "New York", "America/New_York"];
const LOS_ANGELES: Where = ["US", "United States", "California", "Los Angeles", "America/Los_Angeles"];
const LONDON: Where = ["GB", "United Kingdom", "England", "London", "Europe/London"];
const PARIS: Where = ["FR", "France", "Île-de-France", "Paris", "Europe/Paris"];
const TOKYO: Where = ["JP", "Japan", "Tokyo", "Tokyo", "Asia/Tokyo"];
const SAO_PAULO: Where = ["BR", "Brazil", "São Paulo", "São Paulo", "America/Sao_Paulo"];
const MUMBAI: Where = ["IN", "India", "Maharashtra", "Mumbai", "Asia/Kolkata"];
const AMSTERDAM: Where = ["NL", "Netherlands", "North Holland", "Amsterdam", "Europe/Amsterdam"];
const HELSINKI: Where = ["FI", "Finland", "Uusimaa", "Helsinki", "Europe/Helsinki"];
const SINGAPORE: Where = ["SG", "Singapore", "Singapore", "Singapore", "Asia/Singapore"];

/** Home and office networks, each picked with equal probability. */
export const HOMES: readonly [DemoNetwork, ...DemoNetwork[]] = [
  {
    facts: known(BERLIN, ["Example Kabel", 64496, "residential"]),
    addressOf: block("203.0.113", 0),
  },
  {
    facts: known(NEW_YORK, ["Example Broadband", 64497, "residential"]),
    addressOf: block("203.0.113", 32),
  },
  {
    facts: known(LOS_ANGELES, ["Example Broadband", 64497, "residential"]),
    addressOf: block("203.0.113", 64),
  },
  { facts: known(LONDON, ["Example Fibre", 64498, "residential"]), addressOf: block("203.0.113", 96) },
  { facts: known(PARIS, ["Exemple Télécom", 64499, "residential"]), addressOf: block6("f") },
  { facts: known(TOKYO, ["Example Hikari", 64500, "residential"]), addressOf: block("203.0.113", 128) },
  { facts: known(SAO_PAULO, ["Exemplo Net", 64501, "residential"]), addressOf: block("203.0.113", 160) },
  { facts: known(MUMBAI, ["Example Jal", 64502, "residential"]), addressOf: block("203.0.113", 192) },
  { facts: known(AMSTERDAM, ["Voorbeeld Glas", 64503, "residential"]), addressOf: block6("a") },
  { facts: known(LONDON, ["Example Bank plc", 64504, "corporate"]), addressOf: block("198.51.100", 0) },
];

export const MOBILES: readonly [DemoNetwork, ...DemoNetwork[]] = [
  { facts: known(BERLIN, ["Example Mobil", 64505, "mobile"]), addressOf: block("198.51.100", 32) },
  { facts: known(NEW_YORK, ["Example Wireless", 64506, "mobile"]), addressOf: block("198.51.100", 64) },
  { facts: known(MUMBAI, ["Example Wireless India", 64507, "mobile"]), addressOf: block("198.51.100", 96) },
];

export const HOSTING: DemoNetwork = {
  facts: known(AMSTERDAM, ["Example Cloud", 64508, "hosting"], { typeSource: "list", evidence: ["list:hosting"] }),
  addressOf: block("192.0.2", 0),
};
export const HOSTING_ASIA: DemoNetwork = {
  facts: known(SINGAPORE, ["Example Servers", 64509, "hosting"]),
  addressOf: block("192.0.2", 32),
};
export const VPN: DemoNetwork = {
  facts: known(HELSINKI, ["Example VPN", 64510, "proxy"], {
    anonymity: "vpn",
    typeSource: "list",
    evidence: ["list:proxy:vpn"],
  }),
  addressOf: block("192.0.2", 64),
};
export const TOR: DemoNetwork = {
  facts: known(AMSTERDAM, ["Example Relay Operators", 64511, "proxy"], {
    anonymity: "tor",
    typeSource: "list",
    evidence: ["list:proxy:tor"],
  }),
  addressOf: block("192.0.2", 96),
};

export const factsAt = (network: DemoNetwork, subscriber: number): NetworkFacts => ({
  ...network.facts,
  address: network.addressOf(subscriber),
});
