import type { ConnectionType, NetworkFacts } from "./network-facts";

export type NetworkDescription = {
  observed_ip?: string;
  country_code?: string;
  location?: { country_name?: string; region?: string; city?: string; timezone?: string };
  provider?: string;
  connection_type?: ConnectionType;
  asn?: number;
};

/** The members of `fields` that have a value: an absent value is an absent key, as the Report requires. */
const present = <T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The part of the Report's `network` that follows from the facts alone: without status and address consistency. */
export function describeNetwork(facts: NetworkFacts): NetworkDescription {
  const { countryName: country_name, region, city, timezone } = facts;
  const location = present({ country_name, region, city, timezone });
  return present({
    observed_ip: facts.address,
    country_code: facts.countryCode,
    location: Object.keys(location).length > 0 ? location : undefined,
    provider: facts.provider,
    connection_type: facts.connectionType,
    asn: facts.asn,
  });
}
