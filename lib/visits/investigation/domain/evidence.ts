import type { ReportStatus } from "@/lib/contract/report";

/** One visit as evidence. Values that the reader may not see are undefined. */
export type EvidenceVisit = {
  imprint: string;
  deviceId: string;
  /** Also undefined if the visit's Report was never read with an account. */
  accountId: string | undefined;
  recordedAt: Date;
  webApp: string;
  surface: string;
  origin: string;
  status: ReportStatus;
  reasons: string[];
  /** In the order of the findings. */
  ruleIds: string[];
  rulesVersion: string;
  browser: string | undefined;
  system: string | undefined;
  address: string | undefined;
  countryCode: string | undefined;
  asn: number | undefined;
  connection: string | undefined;
  /** SHA-256 of the Report's JSON text as the API serves it, in hex. */
  reportSha256: string;
};

/** A value that visits share, with the visits and subjects that have it. */
export type Touched = {
  value: string;
  visits: number;
  deceptive: number;
  devices: string[];
  accounts: string[];
  firstSeenAt: Date;
  lastSeenAt: Date;
};

export type Evidence = {
  /** Oldest first. */
  visits: EvidenceVisit[];
  /** Whether older visits were left out. */
  isCut: boolean;
  /** Undefined for plans without Account Map. */
  accounts: Touched[] | undefined;
  devices: Touched[];
  /** Undefined if the reader may not see addresses. */
  addresses: Touched[] | undefined;
};

type Known = { value: string; deviceIds: readonly string[]; firstSeenAt: Date };

const unique = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];

function touchedOf(value: string, visits: readonly EvidenceVisit[], also: Known | undefined): Touched {
  const times = [...visits.map(({ recordedAt }) => recordedAt), ...(also ? [also.firstSeenAt] : [])].map(Number);
  return {
    value,
    visits: visits.length,
    deceptive: visits.filter(({ status }) => status === "DECEPTIVE").length,
    devices: unique([...visits.map(({ deviceId }) => deviceId), ...(also?.deviceIds ?? [])]),
    accounts: unique(visits.map(({ accountId }) => accountId)),
    firstSeenAt: new Date(Math.min(...times)),
    lastSeenAt: new Date(Math.max(...times)),
  };
}

/**
 * Groups visits by a value, in the order of its first appearance. `known` has values that the given visits may not show
 * any more.
 */
export function groupVisits(
  visits: readonly EvidenceVisit[],
  of: (visit: EvidenceVisit) => string | undefined,
  known: readonly Known[] = [],
): Touched[] {
  const groups = new Map<string, EvidenceVisit[]>(known.map(({ value }) => [value, []]));
  for (const visit of visits) {
    const value = of(visit);
    if (value === undefined) continue;
    const group = groups.get(value);
    if (group) group.push(visit);
    else groups.set(value, [visit]);
  }
  const byValue = new Map(known.map((each) => [each.value, each]));
  return [...groups]
    .map(([value, group]) => touchedOf(value, group, byValue.get(value)))
    .sort((one, other) => one.firstSeenAt.getTime() - other.firstSeenAt.getTime());
}
