export type ConnectionType = "residential" | "mobile" | "corporate" | "hosting" | "proxy" | "unknown";

/** Kind of exit that hides a visitor. `relay` is a browser vendor's relay, which preserves country and region. */
export const ANONYMITIES = ["tor", "public_proxy", "residential_proxy", "vpn", "relay"] as const;
export type Anonymity = (typeof ANONYMITIES)[number];

/** Source of the connection type, strongest first. A name alone never makes a verdict DECEPTIVE. */
export type TypeSource = "operator-file" | "list" | "asn-table" | "name";

/** Facts about an address. A field is absent if no data set has it; nothing is guessed. */
export type NetworkFacts = {
  /** Canonical; only for public addresses. */
  address?: string;
  /** ISO 3166-1 alpha-2. */
  countryCode?: string;
  /** Whether both country sources agree; absent unless both know a country. */
  countryAgrees?: boolean;
  countryName?: string;
  region?: string;
  city?: string;
  /** IANA zone of the city; only if both country sources agree. */
  timezone?: string;
  /** Organisation that announces the address. */
  provider?: string;
  asn?: number;
  /** Absent for addresses that are not public. */
  connectionType?: ConnectionType;
  /** Absent if the type is unknown. */
  typeSource?: TypeSource;
  /** Only for the connection type `proxy`, if the source tells. */
  anonymity?: Anonymity;
  /** Sources of connection type and country, as `source:verdict[:detail]`. */
  evidence: string[];
};
