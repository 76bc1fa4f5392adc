export type ConnectionType = "residential" | "mobile" | "corporate" | "hosting" | "proxy" | "unknown";

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
  /**
   * Where the connection type and the country come from, as `source:verdict[:detail]`. Sources so far: `asn-table` and
   * `name` (of the organisation), `country`. A name alone is weak: it never makes a verdict DECEPTIVE.
   */
  evidence: string[];
};
