import { judgeMovement, type Place } from "./domain/movement";
import type { NetworkFacts } from "./domain/network-facts";
import type { NetworkEvidence } from "./domain/rule";
import { lookupNetworkIn, placeOfAddress } from "./lookup-network";
import type { NetworkData } from "./network-data";
import { openedNetworkData } from "./open-network-data";
import { addressWords } from "./ranges";

type Visited = { address: string; ageSeconds: number };

function coordinatesOf(data: NetworkData | undefined, { address }: NetworkFacts): Pick<Place, "coordinates"> {
  if (data === undefined || address === undefined) return {};
  const { latitude, longitude } = placeOfAddress(data, address, addressWords(address));
  return latitude === undefined || longitude === undefined ? {} : { coordinates: [latitude, longitude] };
}

/** As `assessMovement`, with given data. */
export function assessMovementIn(
  data: NetworkData | undefined,
  observed: NetworkFacts,
  places: readonly Visited[],
): NetworkEvidence[] {
  const elsewhere = places.filter(({ address }) => address !== observed.address);
  if (elsewhere.length === 0) return [];
  const placeAt = (facts: NetworkFacts, ageSeconds: number): Place => ({
    facts,
    ageSeconds,
    ...coordinatesOf(data, facts),
  });
  return judgeMovement(
    placeAt(observed, 0),
    elsewhere.map(({ address, ageSeconds }) => placeAt(lookupNetworkIn(data, address), ageSeconds)),
  );
}

/**
 * What it says that a browser, known by its token, was at other addresses lately: `places` with the newest first. Data
 * are those of this process.
 */
export const assessMovement = (observed: NetworkFacts, places: readonly Visited[]): NetworkEvidence[] =>
  assessMovementIn(openedNetworkData(), observed, places);
