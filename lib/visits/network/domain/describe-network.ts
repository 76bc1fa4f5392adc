import { detectProxy, type IpConsistency } from "./compare-addresses";
import type { ConnectionType, NetworkFacts } from "./network-facts";
import type { NetworkVisit } from "./rule";

export type NetworkDescription = {
  observed_ip?: string;
  country_code?: string;
  alternate_ip?: string;
  ip_consistency: IpConsistency;
  proxy_detected?: boolean;
  location?: { country_name?: string; region?: string; city?: string; timezone?: string };
  provider?: string;
  connection_type?: ConnectionType;
  asn?: number;
};

/** Drops undefined members, since the Report requires absent keys. */
const present = <T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const locationOf = ({ countryName: country_name, region, city, timezone }: NetworkFacts) => {
  const location = present({ country_name, region, city, timezone });
  return Object.keys(location).length > 0 ? location : undefined;
};

/** The Report's `network` without its status. */
export function describeNetwork({ observed, alternate, consistency }: Omit<NetworkVisit, "clock">): NetworkDescription {
  const { address: observed_ip, countryCode: country_code } = observed;
  return {
    ...present({ observed_ip, country_code, alternate_ip: alternate?.address }),
    ip_consistency: consistency,
    ...present({
      proxy_detected: detectProxy(observed, alternate, consistency),
      location: locationOf(observed),
      provider: observed.provider,
      connection_type: observed.connectionType,
      asn: observed.asn,
    }),
  };
}
