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
  /** Number of visits. */
  visits: number;
  /** Whether older visits were left out. */
  isCut: boolean;
  /** Undefined for plans without Account Map. */
  accounts: Touched[] | undefined;
  devices: Touched[];
  /** Undefined if the reader may not see addresses. */
  addresses: Touched[] | undefined;
};

type Known = { value: string; deviceIds: readonly string[]; firstSeenAt: Date };

type Group = {
  visits: number;
  deceptive: number;
  devices: Set<string>;
  accounts: Set<string>;
  times: [number, number];
};

function addTo(group: Group, { status, deviceId, accountId, recordedAt }: EvidenceVisit): void {
  const at = recordedAt.getTime();
  group.visits += 1;
  group.deceptive += Number(status === "DECEPTIVE");
  group.devices.add(deviceId);
  if (accountId !== undefined) group.accounts.add(accountId);
  group.times = [Math.min(group.times[0], at), Math.max(group.times[1], at)];
}

/**
 * Groups visits by a value, so that the visits themselves need not be kept. `known` has values that the given visits may
 * not show any more.
 */
export function createGroups(of: (visit: EvidenceVisit) => string | undefined, known: readonly Known[] = []) {
  const begin = (at: number): Group => ({
    ...{ visits: 0, deceptive: 0, devices: new Set(), accounts: new Set(), times: [at, at] },
  });
  const groups = new Map(known.map(({ value, firstSeenAt }) => [value, begin(firstSeenAt.getTime())]));
  const devicesOf = new Map(known.map(({ value, deviceIds }) => [value, deviceIds]));
  return {
    add(visit: EvidenceVisit): void {
      const value = of(visit);
      if (value === undefined) return;
      const group = groups.get(value) ?? begin(visit.recordedAt.getTime());
      groups.set(value, group);
      addTo(group, visit);
    },
    /** In the order of their first appearance. */
    list: (): Touched[] =>
      [...groups]
        .sort(([, { times: one }], [, { times: other }]) => one[0] - other[0])
        .map(
          ([
            value,
            {
              devices,
              accounts,
              times: [first, last],
              ...counts
            },
          ]) => ({
            ...{ value, ...counts, accounts: [...accounts] },
            devices: [...new Set([...devices, ...(devicesOf.get(value) ?? [])])],
            firstSeenAt: new Date(first),
            lastSeenAt: new Date(last),
          }),
        ),
  };
}
