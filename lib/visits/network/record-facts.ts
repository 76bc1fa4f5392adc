import type { Anonymity, ConnectionType } from "./domain/network-facts";

/**
 * Parses records of the known suppliers. MaxMind and DB-IP use nested fields (`country.iso_code`); IPinfo and the
 * ip-location-db packages use flat ones (`country_code`). Sources: dev.maxmind.com/geoip/docs/databases,
 * ipinfo.io/developers/database-download, github.com/sapics/ip-location-db.
 */

export type Place = {
  countryCode?: string;
  region?: string;
  city?: string;
  latitude?: number;
  longitude?: number;
  /** IANA zone, if the source has one. */
  timezone?: string;
};

const field = (record: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    record,
  );

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** A number, possibly written as a string. Empty strings are rejected, which JavaScript would convert to 0. */
function number(value: unknown): number | undefined {
  const parsed = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof parsed === "number" && Number.isFinite(parsed) ? parsed : undefined;
}

const COUNTRY_CODE = /^[A-Z]{2}$/;

/** "ZZ" means unknown in these data sets. */
const countryCode = (value: unknown): string | undefined => {
  const code = text(value);
  return code !== undefined && COUNTRY_CODE.test(code) && code !== "ZZ" ? code : undefined;
};

const first = <T>(...values: (T | undefined)[]): T | undefined => values.find((value) => value !== undefined);

/** Drops undefined members. */
export function present<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const kept: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) kept[name] = value as Exclude<T[typeof name], undefined>;
  }
  return kept;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** MaxMind and DB-IP. */
const nestedPlaceOf = (record: object): Place =>
  present({
    countryCode: countryCode(field(record, "country", "iso_code")),
    region: text(field(record, "subdivisions", 0, "names", "en")),
    city: text(field(record, "city", "names", "en")),
    latitude: number(field(record, "location", "latitude")),
    longitude: number(field(record, "location", "longitude")),
    timezone: text(field(record, "location", "time_zone")),
  });

/** IPinfo and the packages. */
const flatPlaceOf = (record: object): Place => {
  const get = (name: string): unknown => Reflect.get(record, name);
  return present({
    countryCode: countryCode(get("country_code")) ?? countryCode(get("country")),
    region: text(get("state1")) ?? text(get("region")),
    city: text(get("city")),
    latitude: number(get("latitude")) ?? number(get("lat")),
    longitude: number(get("longitude")) ?? number(get("lng")),
    timezone: text(get("timezone")),
  });
};

/** The place in a record of a city or country file. */
export function placeOf(record: unknown): Place {
  if (!isObject(record)) return {};
  return isObject(Reflect.get(record, "country")) ? nestedPlaceOf(record) : flatPlaceOf(record);
}

/** Kind of network according to a supplier. */
export type Usage = { connectionType: ConnectionType; anonymity?: Anonymity };

/** Words of MaxMind (`user_type`) and IPinfo (`type`) for users of a network. */
const USAGE_WORDS: Record<string, ConnectionType> = {
  isp: "residential",
  residential: "residential",
  cellular: "mobile",
  mobile: "mobile",
  hosting: "hosting",
  content_delivery_network: "hosting",
  business: "corporate",
  education: "corporate",
  government: "corporate",
  college: "corporate",
  school: "corporate",
  military: "corporate",
  library: "corporate",
};

export type NetworkOwner = { asn?: number; provider?: string; usage?: ConnectionType };

/** Parses `AS15169`, or a plain number. */
const asNumber = (value: unknown): number | undefined => number(text(value)?.replace(/^AS/i, "") ?? value);

/** The announcing organisation in a record of an ASN or ISP file. */
export function ownerOf(record: unknown): NetworkOwner {
  const from = (...names: string[]) => names.flatMap((name) => [field(record, name), field(record, "traits", name)]);
  const word = first(...from("user_type", "type", "as_type").map(text))?.toLowerCase() ?? "";
  return present({
    asn: first(...from("autonomous_system_number", "asn").map(asNumber)),
    provider: first(...from("autonomous_system_organization", "as_name", "name", "isp", "organization").map(text)),
    usage: Object.hasOwn(USAGE_WORDS, word) ? USAGE_WORDS[word] : undefined,
  });
}

const isSet = (record: unknown, ...names: string[]): boolean =>
  names.some((name) =>
    [field(record, name), field(record, "traits", name)].some(
      (value) => value === true || value === 1 || value === "true" || value === "1",
    ),
  );

/** Flags in MaxMind's and IPinfo's files of anonymous networks, most severe first. */
const ANONYMITY_FLAGS: [Anonymity, string[]][] = [
  ["tor", ["is_tor_exit_node", "tor", "is_tor"]],
  ["public_proxy", ["is_public_proxy", "proxy", "is_proxy"]],
  ["residential_proxy", ["is_residential_proxy", "residential_proxy", "is_res_proxy"]],
  ["relay", ["relay", "is_relay"]],
  ["vpn", ["is_anonymous_vpn", "vpn", "is_vpn", "is_anonymous"]],
];

/** How an address hides its users, from a record of a file of anonymous networks. Undefined if it does not. */
export function usageOf(record: unknown): Usage | undefined {
  const found = ANONYMITY_FLAGS.find(([, names]) => isSet(record, ...names));
  if (found) return { connectionType: "proxy", anonymity: found[0] };
  return isSet(record, "is_hosting_provider", "hosting", "is_hosting") ? { connectionType: "hosting" } : undefined;
}
