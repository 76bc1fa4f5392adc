export type ConnectionType = "residential" | "mobile" | "corporate" | "hosting" | "proxy" | "unknown";

/** What kind of exit hides a visitor; `relay` is a browser vendor's, which keeps country and region. */
export const ANONYMITIES = ["tor", "public_proxy", "residential_proxy", "vpn", "relay"] as const;
export type Anonymity = (typeof ANONYMITIES)[number];

/** What decided the connection type, the strongest first. A name alone never makes a verdict DECEPTIVE. */
export type TypeSource = "operator-file" | "list" | "asn-table" | "name";

/** What is known about an address. An absent field means that no data set says it; nothing is guessed. */
export type NetworkFacts = {
  /** Canonical, public addresses only. */
  address?: string;
  /** ISO 3166-1 alpha-2. */
  countryCode?: string;
  /** Whether both country sources name the same country; absent unless both know one. */
  countryAgrees?: boolean;
  countryName?: string;
  region?: string;
  city?: string;
  /** IANA zone of the city; only when both country sources agree. */
  timezone?: string;
  /** Organisation that announces the address. */
  provider?: string;
  asn?: number;
  /** Absent for an address that is not public. */
  connectionType?: ConnectionType;
  /** Absent while the type is unknown. */
  typeSource?: TypeSource;
  /** Only with the connection type `proxy`, and only where the source tells. */
  anonymity?: Anonymity;
  /** Where the connection type and the country come from, as `source:verdict[:detail]`. */
  evidence: string[];
};
