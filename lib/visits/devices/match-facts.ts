import type { Values } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { Neighbourhood } from "./domain/match-device";
import { type Population, unknownPopulation } from "./domain/population";
import type { DeviceProfile } from "./domain/profile";
import { knownCounts, type PopulationCounts, rememberCounts } from "./known-counts";

type Search = {
  workspaceId: string;
  tokenId: string | undefined;
  place: { network: string; model: string } | undefined;
  /** Random number from 0 to 1. Below the sampling rate, the network is searched even though the token is known. */
  draw: number;
};

export type MatchFacts = {
  /** The profile is undefined if it has not been stored yet. */
  tokenOwner: { deviceId: string; profile: DeviceProfile | undefined } | undefined;
  /** Whether the visit's network was read. */
  isSearched: boolean;
  neighbourhood: Neighbourhood;
  population: Population;
};

type Stored = { device_id: string; profile: DeviceProfile };
type Observed = {
  token: string;
  device: string;
  same: boolean;
  first: number;
  last: number;
  /** Null for tokens of other models. */
  anywhere: number | null;
  days: number;
};
type Row = {
  owner_id: string | null;
  owner_profile: DeviceProfile | null;
  is_searched: boolean;
  observations: Observed[] | null;
  neighbours: Stored[] | null;
  devices: number;
  counted_at: string | null;
  counts: PopulationCounts | null;
};

/** Query values for the facts of one visit, and the function that parses its row. */
export type MatchQuery = { values: Values; factsOf: (row: Readonly<Record<string, unknown>>) => MatchFacts };

export function matchQuery({ workspaceId, tokenId, place, draw }: Search): MatchQuery {
  const known = knownCounts(workspaceId);
  return {
    values: {
      workspace: idToUuid(workspaceId),
      token: tokenId ?? null,
      network: place?.network ?? null,
      model: place?.model ?? null,
      draw,
      knownAt: known?.countedAt ?? null,
    },
    factsOf: (row) => matchFacts({ workspaceId, known, hasPlace: place !== undefined }, row as Row), // the statement's own columns
  };
}

/** False for counts in an older release's format; those are recounted within a minute. */
const isCurrent = (counts: PopulationCounts | undefined): counts is PopulationCounts =>
  counts !== undefined && "tallies" in counts;

const neighbourhoodOf = ({ observations, neighbours }: Row): Neighbourhood => ({
  observations: (observations ?? []).map(({ token, device, same, first, last, anywhere, days }) => ({
    tokenId: token,
    deviceId: uuidToId("device", device),
    isSameModel: same,
    firstDay: first,
    lastDay: last,
    lastDayAnywhere: Math.max(last, anywhere ?? last),
    days,
  })),
  devices: (neighbours ?? []).map(({ device_id: deviceId, profile }) => ({
    deviceId: uuidToId("device", deviceId),
    profile,
  })),
});

type Asked = { workspaceId: string; known: ReturnType<typeof knownCounts>; hasPlace: boolean };

function matchFacts({ workspaceId, known, hasPlace }: Asked, row: Row): MatchFacts {
  if (row.counts !== null && row.counted_at !== null)
    rememberCounts(workspaceId, { countedAt: row.counted_at, counts: row.counts });
  const counts = row.counts ?? (row.counted_at === null ? undefined : known?.counts);
  return {
    tokenOwner:
      row.owner_id === null
        ? undefined
        : { deviceId: uuidToId("device", row.owner_id), profile: row.owner_profile ?? undefined },
    isSearched: row.is_searched,
    neighbourhood: hasPlace ? neighbourhoodOf(row) : undefined,
    population: isCurrent(counts) ? { ...counts, devices: row.devices } : unknownPopulation(row.devices),
  };
}
